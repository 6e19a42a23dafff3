import type { Kind } from './classify-event.ts';
import { discriminatorLean } from './classify-event.ts';
import { type Column, coverage, distinct, filled } from './columns.ts';
import { nameWeight } from './field-name.ts';
import type { Proposal } from './proposal.ts';
import { roleNames } from './role-names.ts';
import { isBlank, type Scalar } from './scalar.ts';

/** More words than that are no kinds. */
const mostKinds = 16;

/** What tells the kinds apart is looked for by. */
export interface KindSearch {
  /** Of all events. */
  readonly columns: readonly Column[];
  /** Of each event. */
  readonly kinds: readonly Kind[];
  /** JMESPath to the status and to the text, as far as they were found: where nothing else tells, their presence does. */
  readonly statusPath: string | undefined;
  readonly textPath: string | undefined;
}

/** Finds what tells delivery reports from replies: the words of a field, else whether a field is there. */
export function proposeKind(search: KindSearch): Proposal {
  const { columns, kinds } = search;
  const seen = new Set(kinds);
  const byWords = columns
    .filter(
      (column) =>
        nameWeight(column.name, roleNames.kind) >= 70 && tells(column, kinds) && speaks(column, kinds),
    )
    .sort((a, b) => score(b) - score(a));
  const [best, ...others] = byWords;
  const key = 'events.kind';
  if (best !== undefined && (seen.size > 1 || isCanonical(best))) {
    const rivals = others.map((column) => wordsExpression(column, kinds)).slice(0, 2);
    return { key, value: wordsExpression(best, kinds), isCertain: true, rivals, ...example(best) };
  }
  const isOneKind = seen.size === 1;
  const found = presence(search);
  if (found === undefined)
    return {
      key,
      value: undefined,
      isCertain: false,
      rivals: [],
      note: 'nothing tells delivery reports from replies',
    };
  return {
    key,
    value: found,
    isCertain: !isOneKind,
    rivals: best === undefined ? [] : [wordsExpression(best, kinds)],
    ...(isOneKind
      ? { note: seen.has('sms.reply') ? 'no delivery report was captured' : 'no reply was captured' }
      : {}),
  };
}

/** Whether each word of a field stands for one kind. */
function tells(column: Column, kinds: readonly Kind[]): boolean {
  const words = distinct(filled(column));
  if (words.size === 0 || words.size > mostKinds) return false;
  const kindOf = new Map<string, Kind>();
  for (const [index, kind] of kinds.entries()) {
    const word = wordOf(column.values[index]);
    if (kindOf.has(word) && kindOf.get(word) !== kind) return false;
    kindOf.set(word, kind);
  }
  return true;
}

/** Whether all words of one kind speak for it: a word that is only found in one kind may be so by chance. */
function speaks(column: Column, kinds: readonly Kind[]): boolean {
  return (['sms.status', 'sms.reply'] as const).some((kind) => {
    const words = column.values.filter((value, index) => kinds[index] === kind && !isBlank(value));
    return (
      words.length > 0 &&
      words.every((word) => word !== undefined && discriminatorLean(column, word) === kind)
    );
  });
}

/** Better: called so, in every event, few words, and words that speak for their kinds. */
function score(column: Column): number {
  const words = [...distinct(filled(column))];
  const leaning = words.filter((word) => discriminatorLean(column, word) !== undefined).length / words.length;
  const present = coverage(column) / column.values.length;
  return (
    nameWeight(column.name, roleNames.kind) +
    40 * present +
    20 * leaning -
    2 * words.length -
    column.path.split('.').length
  );
}

function isCanonical(column: Column): boolean {
  return [...distinct(filled(column))].every((word) => word === 'sms.status' || word === 'sms.reply');
}

function wordsExpression(column: Column, kinds: readonly Kind[]): string {
  const { path, values } = column;
  if (isCanonical(column) && coverage(column) === values.length) return path;
  const of = (kind: Kind) => [
    ...new Map(
      values.flatMap((value, index) =>
        kinds[index] === kind && !isBlank(value) && value !== undefined
          ? [[String(value), value] as const]
          : [],
      ),
    ).values(),
  ];
  const [replies, reports] = [of('sms.reply'), of('sms.status')];
  if (replies.length === 0) return `${oneOf(path, reports)} && 'sms.status' || 'sms.reply'`;
  if (reports.length === 1 && replies.length === 1)
    return `${oneOf(path, replies)} && 'sms.reply' || ${oneOf(path, reports)} && 'sms.status' || ${path}`;
  return `${oneOf(path, replies)} && 'sms.reply' || 'sms.status'`;
}

function oneOf(path: string, words: readonly Scalar[]): string {
  const [only] = words;
  return words.length === 1 && only !== undefined
    ? `${path} == ${literal(only)}`
    : `contains([${words.map(literal).join(', ')}], ${path})`;
}

function literal(word: Scalar): string {
  return typeof word === 'string' && /^[^'\\`]*$/.test(word)
    ? `'${word}'`
    : `\`${JSON.stringify(word).replaceAll('`', '\\`')}\``;
}

/** A status is never blank; a text may be, so that it has to be compared with null. */
function presence({ columns, kinds, statusPath, textPath }: KindSearch): string | undefined {
  const isOnlyOf = (path: string, kind: Kind) => {
    const parts = columns.filter((column) => path.split(' || ').includes(column.path));
    return kinds.every(
      (one, index) => parts.some(({ values }) => !isBlank(values[index])) === (one === kind),
    );
  };
  if (statusPath !== undefined && isOnlyOf(statusPath, 'sms.status'))
    return `${grouped(statusPath)} && 'sms.status' || 'sms.reply'`;
  const text = columns.find(({ path }) => path === textPath);
  if (text?.values.every((value, index) => (value === undefined) === (kinds[index] !== 'sms.reply')))
    return `${textPath} != \`null\` && 'sms.reply' || 'sms.status'`;
  for (const kind of ['sms.status', 'sms.reply'] as const) {
    const only = columns.find(({ path }) => isOnlyOf(path, kind));
    if (only !== undefined)
      return `${only.path} && '${kind}' || '${kind === 'sms.status' ? 'sms.reply' : 'sms.status'}'`;
  }
  return undefined;
}

/** "And" binds tighter than "or". */
function grouped(path: string): string {
  return path.includes(' || ') ? `(${path})` : path;
}

function wordOf(value: Scalar | undefined): string {
  return value === undefined ? '' : String(value);
}

function example(column: Column): Pick<Proposal, 'example'> {
  return { example: { of: 'plain', value: [...distinct(filled(column))].slice(0, 4).join(', ') } };
}
