import {
  type Column,
  columnsOf,
  coverage,
  distinct,
  filled,
  isBlank,
  isPhone,
  type Scalar,
  timeFormatOf,
} from './captured/columns.ts';
import { nameWeight, roleNames, wordsOf } from './captured/field-names.ts';
import type { Proposal } from './proposal.ts';
import { guessStatus } from './words.ts';

export type Kind = 'sms.status' | 'sms.reply';

/** Words of a discriminator that only replies have, and those that only reports have. */
const replyWords =
  /^(?:mo|inbound|incoming|reply|replied|replies|received|receive|response|mobileoriginated)$/;
const statusWords =
  /^(?:dlr|dr|delivery|status|report|receipt|receipts|update|updated|finalized|finalised|mt)$/;

/** What a service may say of a reply: that it came, not what became of it. */
const arrived = /received|receiving|webhook|inbound|incoming/i;

/**
 * Whether an event tells what became of a message or what somebody wrote, by its words and by what it holds; undefined where
 * neither shows.
 */
export function classifyEvent(event: unknown): Kind | undefined {
  const columns = columnsOf([event]);
  let status = 0;
  let reply = 0;
  for (const column of columns) {
    const [value] = column.values;
    if (value === undefined) continue;
    const lean = discriminatorLean(column, value);
    status += lean === 'sms.status' ? 3 : 0;
    reply += lean === 'sms.reply' ? 3 : 0;
  }
  if (columns.some(isOutcome)) status += 2;
  if (columns.some(isText)) reply += 2;
  if (status === 0 && reply === 0) return classifyByValues(columns);
  return reply > status ? 'sms.reply' : 'sms.status';
}

/** Where no name tells: a known word of a status, else a text, beside a number. */
function classifyByValues(columns: readonly Column[]): Kind | undefined {
  const values = columns.flatMap(({ values: [value] }) => (value === undefined ? [] : [value]));
  if (!values.some((value) => isPhone(value) && timeFormatOf(value) === undefined)) return undefined;
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.some((text) => guessStatus(text)?.isWhole === true && !arrived.test(text))) return 'sms.status';
  return texts.some((text) => /[A-Za-z]\s+\w/.test(text)) ? 'sms.reply' : undefined;
}

/** Which kind a value speaks for, where its field is called like one that tells events apart. */
function discriminatorLean({ name }: Column, value: Scalar): Kind | undefined {
  const text = String(value);
  if (text.length > 60 || nameWeight(name, roleNames.kind) < 70) return undefined;
  const words = wordsOf(text);
  const isDirection = name.last.endsWith('direction');
  if (isDirection && words.length === 1 && words[0] === 'in') return 'sms.reply';
  // "Message delivery status received" tells of a status.
  if (words.some((word) => statusWords.test(word))) return 'sms.status';
  if (words.some((word) => replyWords.test(word))) return 'sms.reply';
  return isDirection || guessStatus(text)?.isWhole === true ? leanOfOutcome(text) : undefined;
}

function leanOfOutcome(text: string): Kind | undefined {
  return /^out/i.test(text) || guessStatus(text) !== undefined ? 'sms.status' : undefined;
}

/** The less a field's name says, the more its word has to. */
function isOutcome({ name, values: [value] }: Column): boolean {
  const word = String(value ?? '');
  if (arrived.test(word)) return false;
  const weight = nameWeight(name, roleNames.status);
  const guess = guessStatus(word);
  return weight >= 95 || (weight >= 70 && guess !== undefined) || (weight >= 60 && guess?.isWhole === true);
}

function isText({ name, values: [value] }: Column): boolean {
  return typeof value === 'string' && nameWeight(name, roleNames.text) >= 85;
}

/** More words than that are no kinds. */
const maxKinds = 16;

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
        nameWeight(column.name, roleNames.kind) >= 70 &&
        separatesKinds(column, kinds) &&
        speaks(column, kinds),
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
function separatesKinds(column: Column, kinds: readonly Kind[]): boolean {
  const words = distinct(filled(column));
  if (words.size === 0 || words.size > maxKinds) return false;
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
