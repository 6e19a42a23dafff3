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
import { type Proposal, proposal } from './proposal.ts';
import { guessStatus } from './words.ts';

export type Kind = 'sms.status' | 'sms.reply';

/** The words that mark replies, and those that mark reports, in a field that distinguishes kinds. */
const replyWords =
  /^(?:mo|inbound|incoming|reply|replied|replies|received|receive|response|mobileoriginated)$/;
const statusWords =
  /^(?:dlr|dr|delivery|status|report|receipt|receipts|update|updated|finalized|finalised|mt)$/;

/** Words that say that a message was received, which may be a reply, and not whether it was delivered. */
const arrivalWords = /received|receiving|webhook|inbound|incoming/i;

/**
 * Decides by words and values whether an event is a delivery report or a reply.
 *
 * @returns undefined if the event shows neither
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

/** Decides by values alone: a known status next to a number, otherwise a text next to a number. */
function classifyByValues(columns: readonly Column[]): Kind | undefined {
  const values = columns.flatMap(({ values: [value] }) => (value === undefined ? [] : [value]));
  if (!values.some((value) => isPhone(value) && timeFormatOf(value) === undefined)) return undefined;
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.some((text) => guessStatus(text)?.isWhole === true && !arrivalWords.test(text)))
    return 'sms.status';
  return texts.some((text) => /[A-Za-z]\s+\w/.test(text)) ? 'sms.reply' : undefined;
}

/** Returns the kind that a value suggests, if its field is named like one that distinguishes events. */
function discriminatorLean({ name }: Column, value: Scalar): Kind | undefined {
  const text = String(value);
  if (text.length > 60 || nameWeight(name, roleNames.kind) < 70) return undefined;
  const words = wordsOf(text);
  const isDirection = name.last.endsWith('direction');
  if (isDirection && words.length === 1 && words[0] === 'in') return 'sms.reply';
  // "Message delivery status received" is about a status.
  if (words.some((word) => statusWords.test(word))) return 'sms.status';
  if (words.some((word) => replyWords.test(word))) return 'sms.reply';
  return isDirection || guessStatus(text)?.isWhole === true ? leanOfOutcome(text) : undefined;
}

function leanOfOutcome(text: string): Kind | undefined {
  return /^out/i.test(text) || guessStatus(text) !== undefined ? 'sms.status' : undefined;
}

/** Recognises the status of a message. The weaker a field's name, the clearer its word has to be. */
function isOutcome({ name, values: [value] }: Column): boolean {
  const word = String(value ?? '');
  if (arrivalWords.test(word)) return false;
  const weight = nameWeight(name, roleNames.status);
  const guess = guessStatus(word);
  return weight >= 95 || (weight >= 70 && guess !== undefined) || (weight >= 60 && guess?.isWhole === true);
}

function isText({ name, values: [value] }: Column): boolean {
  return typeof value === 'string' && nameWeight(name, roleNames.text) >= 85;
}

/** A field with more words does not distinguish kinds. */
const maxKinds = 16;

/** The facts from which the expression for the kind is derived. */
interface KindSearch {
  /** The fields of all events. */
  readonly columns: readonly Column[];
  /** The kind of each event. */
  readonly kinds: readonly Kind[];
  /** JMESPath to the status and to the text, if found. Their presence decides where no word does. */
  readonly statusPath: string | undefined;
  readonly textPath: string | undefined;
}

/** Proposes how to distinguish delivery reports from replies: by the words of a field, otherwise by the presence of one. */
export function proposeKind(search: KindSearch): Proposal {
  const { columns, kinds } = search;
  const seen = new Set(kinds);
  const byWords = columns
    .filter(
      (column) =>
        nameWeight(column.name, roleNames.kind) >= 70 &&
        separatesKinds(column, kinds) &&
        suggestsKind(column, kinds),
    )
    .sort((a, b) => score(b) - score(a));
  const [best, ...others] = byWords;
  const key = 'events.kind';
  if (best !== undefined && (seen.size > 1 || isCanonical(best))) {
    const rivals = others.map((column) => wordsExpression(column, kinds)).slice(0, 2);
    return proposal(key, wordsExpression(best, kinds), true, { rivals, ...example(best) });
  }
  const isOneKind = seen.size === 1;
  const expression = presenceExpression(search);
  if (expression === undefined)
    return proposal(key, undefined, false, { note: 'no field distinguishes delivery reports from replies' });
  return proposal(key, expression, !isOneKind, {
    rivals: best === undefined ? [] : [wordsExpression(best, kinds)],
    ...(isOneKind
      ? { note: seen.has('sms.reply') ? 'no delivery report was captured' : 'no reply was captured' }
      : {}),
  });
}

/** Reports whether each word of a field occurs with one kind only. */
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

/** Reports whether all words of one kind suggest it. A word may occur with one kind only by chance. */
function suggestsKind(column: Column, kinds: readonly Kind[]): boolean {
  return (['sms.status', 'sms.reply'] as const).some((kind) => {
    const words = column.values.filter((value, index) => kinds[index] === kind && !isBlank(value));
    return (
      words.length > 0 &&
      words.every((word) => word !== undefined && discriminatorLean(column, word) === kind)
    );
  });
}

/** Rates a field: a fitting name, presence in every event, few words, and words that suggest their kinds. */
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

/** Writes an expression that decides by the presence of a field. A status is never blank. A text may be, so it is compared with null. */
function presenceExpression({ columns, kinds, statusPath, textPath }: KindSearch): string | undefined {
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

/** Adds parentheses around alternatives, because "and" binds tighter than "or". */
function grouped(path: string): string {
  return path.includes(' || ') ? `(${path})` : path;
}

function wordOf(value: Scalar | undefined): string {
  return value === undefined ? '' : String(value);
}

function example(column: Column): Pick<Proposal, 'example'> {
  return { example: { of: 'plain', value: [...distinct(filled(column))].slice(0, 4).join(', ') } };
}
