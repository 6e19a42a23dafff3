import { type Column, columnsOf } from './columns.ts';
import { nameWeight, wordsOf } from './field-name.ts';
import { roleNames } from './role-names.ts';
import { isPhone, type Scalar, timeFormatOf } from './scalar.ts';
import { guessStatus } from './status-word.ts';

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
export function discriminatorLean({ name }: Column, value: Scalar): Kind | undefined {
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
