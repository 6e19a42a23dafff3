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
import { minScore, type Proposal, proposal } from './proposal.ts';
import { guessStatus } from './words.ts';

export type Kind = 'sms.status' | 'sms.reply';

/** The words that mark replies, and those that mark reports, in a field that distinguishes kinds. */
const replyWords =
  /^(?:mo|inbound|incoming|reply|replied|replies|received|receive|response|mobileoriginated)$/;
const statusWords =
  /^(?:dlr|dr|delivery|status|report|receipt|receipts|update|updated|finalized|finalised|mt)$/;

/** Reports whether a word says that a message was received, which may be a reply. At some services it is a delivery as well. */
function isArrival(word: string): boolean {
  if (/(?:received|receiving|inbound|incoming)$/i.test(word)) return true;
  return /received|receiving|webhook|inbound|incoming/i.test(word) && guessStatus(word)?.isWhole !== true;
}

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
  const hasText = columns.some(isText);
  if (columns.some((column) => isOutcome(column, hasText))) status += 2;
  if (hasText) reply += 2;
  if (status === 0 && reply === 0) return classifyByValues(columns);
  return reply > status ? 'sms.reply' : 'sms.status';
}

/** Decides by values alone: a known status next to a number, otherwise a text next to a number. */
function classifyByValues(columns: readonly Column[]): Kind | undefined {
  const values = columns.flatMap(({ values: [value] }) => (value === undefined ? [] : [value]));
  if (!values.some((value) => isPhone(value) && timeFormatOf(value) === undefined)) return undefined;
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.some((text) => guessStatus(text)?.isWhole === true && !isArrival(text))) return 'sms.status';
  return texts.some((text) => /[A-Za-z]\s+\w/.test(text)) || isNumberAndText(columns)
    ? 'sms.reply'
    : undefined;
}

/** Recognises an event that has a number and a text and nothing else, whatever their names are. */
function isNumberAndText(columns: readonly Column[]): boolean {
  const [text, ...others] = columns.filter(({ values: [value] }) => value !== undefined && !isPhone(value));
  return others.length === 0 && columns.length === 2 && text !== undefined && isUnnamedText(text);
}

/** Recognises texts in a field whose name says nothing else: neither an id, a status, a kind nor a number. */
export function isUnnamedText(column: Column): boolean {
  const values = filled(column);
  const { messageId, replyId, status, kind, from, to } = roleNames;
  return (
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && /\p{L}/u.test(value)) &&
    values.every((value) => timeFormatOf(value) === undefined) &&
    [messageId, replyId, status, kind, from, to].every((names) => nameWeight(column.name, names) < minScore)
  );
}

/** Returns the kind that a value suggests, if its field is named like one that distinguishes events. */
function discriminatorLean({ name }: Column, value: Scalar): Kind | undefined {
  const text = String(value);
  if (text.length > 60 || nameWeight(name, roleNames.kind) < 70) return undefined;
  const words = wordsOf(text);
  const isDirection = name.last.endsWith('direction');
  const [direction] = isDirection && words.length === 1 ? words : [];
  if (direction === 'in' || direction === 'i') return 'sms.reply';
  if (direction === 'out' || direction === 'o') return 'sms.status';
  // "Message delivery status received" is about a status.
  if (words.some((word) => statusWords.test(word))) return 'sms.status';
  if (words.some((word) => replyWords.test(word))) return 'sms.reply';
  if (isDirection && /^out/i.test(text)) return 'sms.status';
  const guess = guessStatus(text);
  return guess?.isWhole === true || (isDirection && guess !== undefined) ? 'sms.status' : undefined;
}

/** A field with digits is a status only if its name ends like that of a status. */
const minCodeWeight = 80;

/** Recognises the status of a message. The weaker a field's name, the clearer its word has to be. */
function isOutcome({ name, values: [value] }: Column, hasText: boolean): boolean {
  const word = String(value ?? '');
  const weight = nameWeight(name, roleNames.status);
  const guess = guessStatus(word);
  if (isArrival(word)) return false;
  const isCode = /^\d{1,4}$/.test(word);
  if (!hasText && isCode && (name.last === 'code' || weight >= minCodeWeight)) return true;
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
  /** JMESPath to the status and to the text, if found. Their presence decides if no word does. */
  readonly statusPath: string | undefined;
  readonly textPath: string | undefined;
}

/**
 * Proposes how to distinguish delivery reports from replies: by documented words of a field, otherwise by the presence of one. It never tests
 * for a status or another value that only happened to be captured.
 */
export function proposeKind(search: KindSearch): Proposal {
  const { columns, kinds } = search;
  const key = 'events.kind';
  const isOneKind = new Set(kinds).size === 1;
  const byWords = columns
    .filter((column) => nameWeight(column.name, roleNames.kind) >= 70 && separatesKinds(column, kinds))
    .sort((a, b) => score(b) - score(a))
    .flatMap((column) => {
      const expression = wordsExpression(column, search);
      return expression === undefined ? [] : [{ column, expression }];
    });
  const [best, ...others] = byWords;
  if (best !== undefined && (!isOneKind || isCanonical(best.column))) {
    const rivals = others.map(({ expression }) => expression).slice(0, 2);
    return proposal(key, best.expression, true, { rivals, ...example(best.column) });
  }
  const expression =
    presenceExpression(search) ??
    (best === undefined ? undefined : { value: best.expression, isDocumented: false });
  if (expression === undefined)
    return proposal(key, undefined, false, { note: 'no field distinguishes delivery reports from replies' });
  return proposal(key, expression.value, !isOneKind && expression.isDocumented, {
    rivals: best === undefined ? [] : [best.expression],
    ...(isOneKind
      ? { note: kinds.includes('sms.reply') ? 'no delivery report was captured' : 'no reply was captured' }
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

/** Writes an expression that tests for words that services document for a kind; undefined if there are none. */
function wordsExpression(column: Column, { kinds, statusPath, textPath }: KindSearch): string | undefined {
  const { path, values } = column;
  if (isCanonical(column) && coverage(column) === values.length) return path;
  const of = (kind: Kind) => {
    const words = values.filter((value, index) => kinds[index] === kind && !isBlank(value));
    const distinctWords = [...new Map(words.map((word) => [String(word), word])).values()].filter(
      (word) => word !== undefined,
    );
    return distinctWords.every((word) => isKindWord(column, word, kind)) ? distinctWords : [];
  };
  const [replies, reports] = [of('sms.reply'), of('sms.status')];
  const isReport =
    statusPath === undefined || statusPath === path
      ? "'sms.status'"
      : `${grouped(statusPath)} && 'sms.status'`;
  if (replies.length > 0) return `${oneOf(path, replies)} && 'sms.reply' || ${isReport}`;
  if (reports.length === 0) return undefined;
  const isReply = textPath === undefined ? "'sms.reply'" : `${textPath} != \`null\` && 'sms.reply'`;
  return `${oneOf(path, reports)} && 'sms.status' || ${isReply}`;
}

/** Reports whether a word marks a kind by itself. The words of statuses never do: another event has another status. */
function isKindWord(column: Column, word: Scalar, kind: Kind): boolean {
  if (discriminatorLean(column, word) !== kind) return false;
  return kind === 'sms.reply' || wordsOf(String(word)).every((part) => guessStatus(part)?.isWhole !== true);
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

/**
 * Writes an expression that decides by the presence of a field. A status is never blank. A text may be, so it is compared with null.
 *
 * @returns with it, whether the field is the status or the text, and not one that is present by chance
 */
function presenceExpression({
  columns,
  kinds,
  statusPath,
  textPath,
}: KindSearch): { readonly value: string; readonly isDocumented: boolean } | undefined {
  const isOnlyOf = (path: string, kind: Kind) => {
    const parts = columns.filter((column) => path.split(' || ').includes(column.path));
    return kinds.every(
      (one, index) => parts.some(({ values }) => !isBlank(values[index])) === (one === kind),
    );
  };
  if (statusPath !== undefined && isOnlyOf(statusPath, 'sms.status'))
    return { value: `${grouped(statusPath)} && 'sms.status' || 'sms.reply'`, isDocumented: true };
  const text = columns.find(({ path }) => path === textPath);
  if (text?.values.every((value, index) => (value === undefined) === (kinds[index] !== 'sms.reply')))
    return { value: `${textPath} != \`null\` && 'sms.reply' || 'sms.status'`, isDocumented: true };
  for (const kind of ['sms.status', 'sms.reply'] as const) {
    const only = columns.find(({ path }) => isOnlyOf(path, kind));
    if (only !== undefined)
      return {
        value: `${only.path} && '${kind}' || '${kind === 'sms.status' ? 'sms.reply' : 'sms.status'}'`,
        isDocumented: false,
      };
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
