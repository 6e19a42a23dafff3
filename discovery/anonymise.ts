import { type Place, pathOf, placesIn } from '../contract/events/places.ts';
import { toE164 } from '../contract/phone/phone-number.ts';
import type { Contract } from '../contract/schema/contract-schema.ts';
import { isObject } from '../contract/text/json.ts';
import { parseTime, renderTime, timeFormats } from '../contract/text/time.ts';
import { isPhone, isScalar, type Scalar, timeFormatOf } from './captured/columns.ts';
import type { Kind } from './event-kind.ts';
import { isVocabulary } from './words.ts';

/** The meaning of a value by the mapping. A `word` stays; `person` and `own` are phone numbers. */
type Meaning = 'person' | 'own' | 'text' | 'time' | 'id' | 'word' | undefined;

/** Returns an invented value for a value, always the same one for the same value. */
type Invent = (value: Scalar, meaning: Meaning) => Scalar;

/** Fictitious numbers: +1 202 555 0100 to 0199 are reserved for fiction. */
const personNumber = '2025550143';
const ownNumber = '2025550100';

/** The first second of the times in a sample. */
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/** Values that are too common to identify a person. */
const genericValue =
  /^(?:sms|mms|rcs|text|plain|true|false|yes|no|null|event|message|inbound|outbound|incoming|outgoing|received|gsm-?7(?:bit)?|gsm_?7(?:_bit)?|ucs-?2|unicode|\d{1,2}|v?\d\.\d)$/i;

/**
 * Invents the values of one sample. An invented value has the format of the original: the spelling of a number or a time, the length and
 * the alphabet of an id. Nothing of the original remains, and equal values stay equal.
 *
 * @param defaultCountry the country of numbers without a country code
 * @param times all times of the sample, whose order is kept
 */
function createInvent(defaultCountry: string | null, times: readonly Scalar[]): Invent {
  const invented = new Map<string, Scalar>();
  const order = [...new Set(times.map(String))].sort((a, b) => millisecondsOf(a) - millisecondsOf(b));
  let others = 0;
  let ids = 0;

  function invent(value: Scalar, meaning: Meaning): Scalar {
    const text = String(value);
    if (meaning === 'word' || typeof value === 'boolean' || text.trim() === '') return value;
    if (meaning !== 'id' && order.includes(text)) return inventTime(value, order.indexOf(text));
    if (meaning === 'person' || meaning === 'own') {
      if (isPhone(value))
        return respell(value, meaning === 'person' ? personNumber : ownNumber, defaultCountry);
    } else if (meaning === 'text') return 'Text';
    if (meaning !== 'id' && typeof value === 'string') {
      if (text.startsWith('+') && isPhone(value))
        return respell(value, `20255501${String(1 + (others++ % 42)).padStart(2, '0')}`, defaultCountry);
      if (genericValue.test(text)) return value;
      if (/^https?:/.test(text)) return 'https://example.com/';
      if (text.includes('@')) return 'person@example.com';
      if (/\s/.test(text)) return 'Text';
    }
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 10) return value;
    const made = scramble(text, ids++);
    return typeof value === 'number' ? Number(made) || 10 : made;
  }

  return (value, meaning) => {
    const key = `${typeof value} ${value}`;
    const before = invented.get(key);
    if (before !== undefined && meaning !== 'word') return before;
    const made = invent(value, meaning);
    invented.set(key, made);
    return made;
  };
}

/** Writes a number in the spelling of another one, or in full if it could not be read in that spelling. */
function respell(value: Scalar, national: string, defaultCountry: string | null): Scalar {
  const text = String(value);
  const count = text.replace(/\D/g, '').length;
  const digits = count === 10 ? national : `1${national}`;
  let at = 0;
  const spelled = count === 10 || count === 11 ? text.replace(/\d/g, () => digits[at++] ?? '') : undefined;
  const plain = `${text.startsWith('+') ? '+' : ''}1${national}`;
  const wasRead = toE164(text, defaultCountry) !== undefined;
  const isRead = spelled !== undefined && toE164(spelled, defaultCountry) === `+1${national}`;
  if (typeof value === 'number') return Number(`1${national}`);
  if (spelled !== undefined && (isRead || !wasRead)) return spelled;
  return toE164(plain, defaultCountry) === `+1${national}` ? plain : `+1${national}`;
}

/** Writes an invented time in the format of another one. The time zone is kept. */
function inventTime(value: Scalar, position: number): Scalar {
  const at = new Date(begin + position * 1000);
  const format = timeFormatOf(value);
  switch (format) {
    case 'unix-seconds':
    case 'unix-milliseconds':
    case 'rfc2822': {
      const written = renderTime(format, at.toISOString());
      return typeof value === 'number' ? written : String(written);
    }
    default: {
      const digits = `${at
        .toISOString()
        .replace(/\D/g, '')
        .slice(format === 'smpp' ? 2 : 0, 14)}000000`;
      let next = 0;
      return String(value).replace(/^[^Zz+]*?(?=[Zz+]|-\d\d:?\d\d$|$)/, (local) =>
        local.replace(/\d/g, () => digits[next++] ?? '0'),
      );
    }
  }
}

function millisecondsOf(text: string): number {
  return Date.parse(parseTime(timeFormats, text) ?? '') || 0;
}

/** Replaces each character by another one of its kind: a digit, a hexadecimal letter if all letters are hexadecimal, or any letter. */
function scramble(text: string, position: number): string {
  const letters = /^[\da-f\W_]+$/i.test(text) ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  let at = position * 7;
  return text.replace(/[\p{L}\p{N}]/gu, (character, index: number) => {
    at += 3;
    if (/\p{N}/u.test(character)) return String(index === 0 ? 1 + (at % 9) : at % 10);
    const letter = letters[at % letters.length] ?? 'x';
    return character === character.toLowerCase() ? letter : letter.toUpperCase();
  });
}

/** The kind of the event in a body, and how many steps lead to it. */
interface EventIn {
  readonly kind: Kind;
  readonly depth: number;
}

/**
 * Replaces every value of a body by an invented one, except words that the contract lists or distinguishes kinds by, codes of errors, and numbers
 * of two digits. A key that may be personal data is left out with its value. Other keys stay, also one that is the name of a person in one word.
 *
 * @param received a body with one event
 * @returns undefined if a word that has to stay may be personal data
 */
export function anonymise(received: unknown, { kind, depth }: EventIn, contract: Contract): unknown {
  const body = withoutKeys(received, isOwnKey(contract));
  const meanings = meaningsOf(contract, kind);
  const leaves: { value: Scalar; meaning: Meaning }[] = [];
  const meaningAt = (value: Scalar, place: Place): Meaning => {
    const path = pathOf(place.slice(depth).map((step) => (typeof step === 'number' ? 0 : step)));
    const meaning = meanings.get(path);
    // If the presence of a field decides the kind, its value does not matter.
    return meaning === 'word' && !isWordOf(contract, path, value) ? undefined : meaning;
  };
  walk(body, (value, place) => {
    leaves.push({ value, meaning: meaningAt(value, place) });
    return value;
  });
  const stays = leaves.filter(({ meaning }) => meaning === 'word').map(({ value }) => value);
  if (!stays.every((value) => isVocabulary(String(value)))) return undefined;
  const isTime = ({ value, meaning }: { value: Scalar; meaning: Meaning }) =>
    (meaning === undefined || meaning === 'time') && timeFormatOf(value) !== undefined;
  const invent = createInvent(
    contract.events.defaultCountry,
    leaves.filter(isTime).map(({ value }) => value),
  );
  // Invent values with a meaning first, so that the same value becomes the same elsewhere.
  for (const { value, meaning } of leaves) if (meaning !== undefined) invent(value, meaning);
  return walk(body, (value, place) => invent(value, meaningAt(value, place)));
}

/** Reports whether a value is a plain word: a status that the contract lists, an error's code, or a word that distinguishes kinds. */
function isWordOf(
  { events: { kind, status }, statuses, errors }: Contract,
  path: string,
  value: Scalar,
): boolean {
  const text = String(value);
  if (pathsIn(status.status).includes(path) && (Object.hasOwn(statuses, text) || /^\d{1,4}$/.test(text)))
    return true;
  if (status.errorCode !== null && pathsIn(status.errorCode).includes(path))
    return Object.hasOwn(errors, text) || /^[A-Za-z]{0,4}[-_.:]?\d{1,6}$/.test(text);
  return kind.includes(`'${text}'`) || kind.includes(`\`${JSON.stringify(value)}\``) || kind === path;
}

function meaningsOf({ events }: Contract, kind: Kind): ReadonlyMap<string, Meaning> {
  const { status, reply, id } = events;
  const fields: readonly (readonly [string | null, Meaning])[] =
    kind === 'sms.status'
      ? [
          [status.errorText, 'text'],
          [status.messageId, 'id'],
          [status.sendId, 'id'],
          [status.recipient, 'person'],
          [status.occurredAt, 'time'],
          [status.errorCode, 'word'],
          [status.status, 'word'],
        ]
      : [
          [reply.replyId, 'id'],
          [reply.messageId, 'id'],
          [reply.from, 'person'],
          [reply.to, 'own'],
          [reply.occurredAt, 'time'],
          [reply.text, 'text'],
        ];
  const all = [
    [events.kind, 'word'] as const,
    [id.from === 'body' ? id.path : null, 'id'] as const,
    ...fields,
  ];
  return new Map(
    all.flatMap(([text, meaning]) => pathsIn(text ?? '').map((path) => [path, meaning] as const)),
  );
}

/** Lists the paths in an expression. */
function pathsIn(expression: string): string[] {
  return placesIn(expression).map(pathOf);
}

/** Makes the test whether a key is a name of the service: the contract reads it, or it is one word as programs write names. */
function isOwnKey({ events }: Contract): (key: string) => boolean {
  const { status, reply, id, ...others } = events;
  const expressions = [others, status, reply, id].flatMap((fields) => Object.values(fields));
  const read = new Set(
    expressions.flatMap((text) => (typeof text === 'string' ? placesIn(text).flat() : [])),
  );
  return (key) =>
    isVocabulary(key) &&
    (key.match(/\p{N}/gu) ?? []).length < 7 &&
    (read.has(key) || /^[A-Za-z_$][\w.:$-]*$/.test(key));
}

/** Copies a value without the keys that do not pass a test. */
function withoutKeys(value: unknown, isKept: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutKeys(inner, isKept));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      isKept(key) ? [[key, withoutKeys(inner, isKept)] as const] : [],
    ),
  );
}

/** Copies a value with every scalar replaced. */
function walk(value: unknown, replace: (value: Scalar, place: Place) => Scalar, place: Place = []): unknown {
  if (isScalar(value)) return replace(value, place);
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => walk(inner, replace, [...place, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, walk(inner, replace, [...place, key])]),
  );
}
