import {
  encodedDigits,
  maskDigits,
  maskId,
  maskNumbersOf,
  maskPhone,
  maskRecipient,
  minTextDigits,
  numbersMasker,
} from '../../../contract/phone/mask.ts';
import { e164 } from '../../../contract/phone/phone-key.ts';
import type { Answered } from './answers.ts';
import { hashAtEnd, type IdMask, visiblePart, visiblePartOfSend } from './masked-ids.ts';

type Masks = Pick<IdMask, 'mask' | 'maskPosition'>;

/** The properties of answers that hold a number, in any notation. */
const numbers: ReadonlySet<string> = new Set(['phone', 'number', 'from', 'to', 'recipient']);

/** The properties that hold a text of a person or of the service, which may name a number. */
const texts: ReadonlySet<string> = new Set(['text', 'errorText', 'reason', 'carrier', 'channel', 'media']);

/** The properties that hold a word of the service. */
const words: ReadonlySet<string> = new Set(['word', 'status', 'errorCode']);

/** Shorter runs of digits in a word are codes. */
const minWordDigits = 10;

/** The properties with ids of the service, or with those that the pipeline makes if the service gives none. */
const entryIds: ReadonlySet<string> = new Set(['messageId', 'replyId', 'sendId', 'partId', 'of', 'id']);

/** Ranges of times have properties of the same names. */
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Masks the numbers of an answer: known properties, runs of digits in texts and words, and any property that is a number in E.164. It
 * finds no number with letters between its digits.
 *
 * @param idMask masks ids from which a number can be found, and the positions of pages, which have ids. Without it they stay as they are, for a
 *   reader who may see numbers.
 * @param asked the ids behind the masked ones of the request. They stay masked, also where no number beside them shows why they were.
 */
export function masked<T>(answer: T, idMask?: Masks, asked: ReadonlySet<string> = new Set()): T {
  return maskValue('', answer, { phones: [], index: 0, idMask, asked }) as T;
}

/** Masks ids only: the position of a page shows no number to a reader. */
const idsOnly: Masks = { mask: () => '•••', maskPosition: (cursor) => cursor };

/** Returns whether an answer shows more than a user sees who may not see numbers. */
export function isMaskable(answer: unknown): boolean {
  return JSON.stringify(answer) !== JSON.stringify(masked(answer, idsOnly));
}

/** The properties that name an entry. */
const ids = ['of', 'messageId', 'replyId', 'sendId', 'entryId', 'id'] as const;

/**
 * Returns the ids of what an answer shows, for the log: of the path, of the answer, and of the entries of its list. Digits that are no number
 * of the answer stay, so that an auditor finds an id of digits. An entry without an id has its masked number.
 *
 * @param parameters of the path
 */
export function entriesShown(
  answered: Answered,
  { phone: _phone, ...parameters }: Readonly<Record<string, string>>,
  idMask?: Masks,
): string {
  const answer = answered.kind === 'csv' ? answered.page : answered.view;
  const lists = [propertyOf(answer, 'entries'), propertyOf(answer, 'results')];
  const maskNumbers = numbersMasker(numbersIn('', answer));
  const found = [parameters, answer, ...lists.filter(Array.isArray).flat()].flatMap((one) => {
    // Each by itself: the digits of two ids are not one number.
    const named = ids.flatMap((name) =>
      textOf(one, name).map((id) => loggedId(name, id, maskNumbers, idMask)),
    );
    // Where nothing of an id may be logged, its number distinguishes the entry.
    const withPhone = named.length === 0 || named.some((id) => id.endsWith(hiddenHash));
    return withPhone
      ? [...named, ...['phone', 'from', 'number'].flatMap((name) => textOf(one, name)).map(maskPhone)]
      : named;
  });
  return [...new Set(found)].filter((id) => id !== '').join(' ');
}

/** What is logged of a hash if there is no key. */
const hiddenHash = '•••';

/**
 * An id that may have a number which is not known, and one that is a hash of content with a number, is masked whole, and the console opens it.
 * For principals of AWS there is no key, so of such an id the end is shown as of a number, and nothing of a hash.
 */
function loggedId(
  name: string,
  id: string,
  maskNumbers: (text: string) => string,
  idMask: Masks | undefined,
): string {
  const isHash = hashAtEnd.test(id);
  const logged = maskId(id.replace(hashAtEnd, hiddenHash), maskNumbers);
  const shown = name === 'sendId' ? visiblePartOfSend(logged) : logged;
  if (idMask !== undefined && (shown !== logged || encodedDigits.test(id) || isHash)) return idMask.mask(id);
  return shown === logged ? logged : shown + maskPhone(logged.slice(shown.length));
}

function textOf(value: unknown, name: string): string[] {
  const text = propertyOf(value, name);
  return typeof text === 'string' ? [text] : [];
}

/** Lists the numbers that an answer shows in known properties, in any notation. */
export function numbersIn(name: string, value: unknown): string[] {
  if (typeof value === 'string') return numbers.has(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => numbersIn(name, one));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(key, inner));
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Where a value is. */
interface Place {
  /** The numbers beside it. */
  readonly phones: readonly string[];
  /** Its position in its list. */
  readonly index: number;
  readonly idMask: Masks | undefined;
  readonly asked: ReadonlySet<string>;
}

function maskValue(name: string, value: unknown, place: Place): unknown {
  if (typeof value === 'string') {
    if (name === 'eventId') return maskEventId(value, place);
    if (name === 'next') return place.idMask?.maskPosition(value) ?? value;
    return entryIds.has(name) ? maskEntryId(name, value, place) : maskText(name, value);
  }
  if (Array.isArray(value)) return value.map((one, index) => maskValue(name, one, { ...place, index }));
  if (typeof value !== 'object' || value === null) return value;
  if (name === 'unread') return maskUnread(value);
  const beside = Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && numbers.has(key) ? [inner] : [],
  );
  const inside = { ...place, phones: [...place.phones, ...beside] };
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, maskValue(key, inner, inside)]),
  );
}

/**
 * Some services make the ids of events from a number, and the pipeline makes hashes of content that has it: numbers can be tried until one of them
 * has this hash. Each event of a message needs an id of its own.
 */
function maskEventId(id: string, { phones, index }: Place): string {
  return hashAtEnd.test(id) || encodedDigits.test(id)
    ? `•••${index + 1}`
    : maskNumbersOf(maskRecipient(id), phones);
}

/** Masks an id from which a number can be found. Others stay: the service knows them. */
function maskEntryId(name: string, id: string, { phones, idMask, asked }: Place): string {
  if (idMask === undefined) return maskText('', id);
  const isAsked = [...asked].some((one) => id === one || id.endsWith(`~${one}`) || id.endsWith(`/${one}`));
  const isShown =
    !isAsked && visiblePart(id, phones) === id && (name !== 'sendId' || visiblePartOfSend(id) === id);
  return isShown ? id : idMask.mask(id);
}

const [year, month, day] = [
  String.raw`(?:19|20)\d\d`,
  '(?:0?[1-9]|1[0-2])',
  String.raw`(?:0?[1-9]|[12]\d|3[01])`,
];
const orders = [
  [year, month, day],
  [day, month, year],
  [month, day, year],
];
const days = ['-', '/', String.raw`\.`].flatMap((sign) => orders.map((parts) => parts.join(sign))).join('|');
const timeOfDay = String.raw`[ T]+\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:[A-Z]{1,4}|[+-]\d\d:?\d\d))?`;

/** A day, in any order of its parts, and maybe a time of day and a zone: the whole value. A number has other groups of digits. */
const dayAndTime = new RegExp(`^(?:${days})(?:${timeOfDay})?$`);

/** Masks the values that could not be read: any of them may hold a number. What is a day and a time stays, because it shows what is wrong with it. */
function maskUnread(unread: object): object {
  return Object.fromEntries(
    Object.entries(unread).map(([field, value]) => {
      const text = String(value);
      if (numbers.has(field)) return [field, maskPhone(text)];
      if (field === 'occurredAt' && dayAndTime.test(text)) return [field, text];
      return [field, maskDigits(text, field === 'occurredAt' ? minTimeDigits : minTextDigits)];
    }),
  );
}

/** Shorter runs of digits in what is no time are no number. */
const minTimeDigits = 4;

function maskText(name: string, text: string): string {
  if (time.test(text)) return text;
  if (numbers.has(name) || e164.test(text)) return maskPhone(text);
  if (words.has(name)) return maskDigits(text, minWordDigits);
  return texts.has(name) ? maskDigits(text, minTextDigits) : text;
}
