import { isObject } from '../events/body.ts';
import { toE164 } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import { isPhone, isScalar, type Scalar, timeFormatOf } from './captured/columns.ts';
import { pathOf, type Steps } from './captured/field-names.ts';
import type { Kind } from './event-kind.ts';
import { isVocabulary } from './words.ts';

/** What a value is of, as far as the mapping tells. */
type Meaning = 'person' | 'us' | 'text' | 'time' | 'id' | 'word' | undefined;

/** Puts an invented value in the place of each; the same one for the same value. */
type Invent = (value: Scalar, meaning: Meaning) => Scalar;

/** Numbers that nobody has: +1 202 555 0100 to 0199 are kept for fiction. */
const person = '2025550143';
const ownNumber = '2025550100';

/** The first second of the times in a sample. */
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/** Values of which there are so few that they tell nothing of anybody. */
const generic =
  /^(?:sms|mms|rcs|text|plain|true|false|yes|no|null|event|message|inbound|outbound|incoming|outgoing|received|gsm-?7(?:bit)?|gsm_?7(?:_bit)?|ucs-?2|unicode|\d{1,2}|v?\d\.\d)$/i;

/**
 * Invents the values of one sample. What is invented has the shape of what it stands for: the spelling of a number or a time,
 * the length and the alphabet of an id. Nothing of the value itself is left, and equal values stay equal.
 *
 * @param defaultCountry of numbers without a country code
 * @param times all times of the sample, so that their order stays
 */
function createInvent(defaultCountry: string | null, times: readonly Scalar[]): Invent {
  const known = new Map<string, Scalar>();
  const order = [...new Set(times.map(String))].sort((a, b) => millisecondsOf(a) - millisecondsOf(b));
  let others = 0;
  let ids = 0;

  function invent(value: Scalar, meaning: Meaning): Scalar {
    const text = String(value);
    if (meaning === 'word' || typeof value === 'boolean' || text.trim() === '') return value;
    if (meaning !== 'id' && order.includes(text)) return inventTime(value, order.indexOf(text));
    if (meaning === 'person' || meaning === 'us') {
      if (isPhone(value)) return respell(value, meaning === 'person' ? person : ownNumber, defaultCountry);
    } else if (meaning === 'text') return 'Text';
    if (meaning !== 'id' && typeof value === 'string') {
      if (text.startsWith('+') && isPhone(value))
        return respell(value, `20255501${String(1 + (others++ % 42)).padStart(2, '0')}`, defaultCountry);
      if (generic.test(text)) return value;
      if (/^https?:/.test(text)) return 'https://example.com/';
      if (text.includes('@')) return 'somebody@example.com';
      if (/\s/.test(text)) return 'Text';
    }
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 10) return value;
    const made = scramble(text, ids++);
    return typeof value === 'number' ? Number(made) || 10 : made;
  }

  return (value, meaning) => {
    const key = `${typeof value} ${value}`;
    const before = known.get(key);
    if (before !== undefined && meaning !== 'word') return before;
    const made = invent(value, meaning);
    known.set(key, made);
    return made;
  };
}

/** A number in the spelling of another; in full where it would not be read in that spelling. */
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

/** As it was written: its date, its time of day and its fraction replaced, its zone kept. */
function inventTime(value: Scalar, position: number): Scalar {
  const at = new Date(begin + position * 1000);
  switch (timeFormatOf(value)) {
    case 'unix-seconds':
      return typeof value === 'number' ? at.getTime() / 1000 : String(at.getTime() / 1000);
    case 'unix-milliseconds':
      return typeof value === 'number' ? at.getTime() : String(at.getTime());
    default: {
      const digits = `${at.toISOString().replace(/\D/g, '').slice(0, 14)}000000`;
      let next = 0;
      return String(value).replace(/^[^Zz+]*?(?=[Zz+]|-\d\d:?\d\d$|$)/, (local) =>
        local.replace(/\d/g, () => digits[next++] ?? '0'),
      );
    }
  }
}

function millisecondsOf(text: string): number {
  const number = Number(text);
  if (Number.isNaN(number)) return Date.parse(text) || 0;
  return number < 1e11 ? number * 1000 : number;
}

/** Characters of the same kind, in an order that says nothing: digits, letters of hexadecimal where all are, other letters. */
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

/** The event of a body, and how many steps lead to it. */
interface EventIn {
  readonly kind: Kind;
  readonly depth: number;
}

/**
 * A body with every value invented, but for words that the contract lists or tells kinds apart by.
 *
 * @param body with one event
 * @returns undefined where a key, or a word that would have to stay, may say something of somebody
 */
export function anonymise(body: unknown, { kind, depth }: EventIn, contract: Contract): unknown {
  const meanings = meaningsOf(contract, kind);
  const leaves: { value: Scalar; meaning: Meaning }[] = [];
  const meaningAt = (value: Scalar, steps: Steps): Meaning => {
    const path = pathOf(steps.slice(depth).map((step) => (typeof step === 'number' ? 0 : step)));
    const meaning = meanings.get(path);
    // Where the presence of a field tells the kind, what it says does not matter.
    return meaning === 'word' && !isWordOf(contract, path, value) ? undefined : meaning;
  };
  walk(body, (value, steps) => {
    leaves.push({ value, meaning: meaningAt(value, steps) });
    return value;
  });
  const stays = leaves.filter(({ meaning }) => meaning === 'word').map(({ value }) => value);
  if (keysOf(body).some((key) => !isVocabulary(key)) || !stays.every((value) => isVocabulary(String(value))))
    return undefined;
  const isTime = ({ value, meaning }: { value: Scalar; meaning: Meaning }) =>
    (meaning === undefined || meaning === 'time') && timeFormatOf(value) !== undefined;
  const invent = createInvent(
    contract.events.defaultCountry,
    leaves.filter(isTime).map(({ value }) => value),
  );
  // What the mapping knows goes first, so that elsewhere the same value becomes the same.
  for (const { value, meaning } of leaves) if (meaning !== undefined) invent(value, meaning);
  return walk(body, (value, steps) => invent(value, meaningAt(value, steps)));
}

/** Whether a value is no more than a word: a status that the contract lists, an error's code, or what kinds are told apart by. */
function isWordOf({ events: { kind, status }, statuses }: Contract, path: string, value: Scalar): boolean {
  const text = String(value);
  if (pathsIn(status.status).includes(path) && (Object.hasOwn(statuses, text) || /^\d{1,4}$/.test(text)))
    return true;
  if (status.errorCode !== null && pathsIn(status.errorCode).includes(path)) return /^\S{1,40}$/.test(text);
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
          [reply.to, 'us'],
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

const literals = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\w+\(/g;
const plainPath = /(?:"(?:[^"\\]|\\.)+"|[A-Za-z_]\w*)(?:\.(?:"(?:[^"\\]|\\.)+"|\w+)|\[\d+\])*/g;

/** The plain paths in an expression. */
function pathsIn(expression: string): string[] {
  return expression.replace(literals, ' ').match(plainPath) ?? [];
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]) : [];
}

/** A copy with every value replaced. */
function walk(value: unknown, replace: (value: Scalar, steps: Steps) => Scalar, steps: Steps = []): unknown {
  if (isScalar(value)) return replace(value, steps);
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => walk(inner, replace, [...steps, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, walk(inner, replace, [...steps, key])]),
  );
}
