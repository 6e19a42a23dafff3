import { toE164 } from '../../functions/core/phone.ts';
import { isPhone, type Scalar, timeFormatOf } from './scalar.ts';

/** What a value is of, as far as the mapping tells. */
export type Meaning = 'person' | 'us' | 'text' | 'time' | 'id' | 'word' | undefined;

/** Puts an invented value in the place of each; the same one for the same value. */
export type Invent = (value: Scalar, meaning: Meaning) => Scalar;

/** Numbers that nobody has: +1 202 555 0100 to 0199 are kept for fiction. */
const person = '2025550143';
const ourselves = '2025550100';

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
export function createInvent(defaultCountry: string | null, times: readonly Scalar[]): Invent {
  const known = new Map<string, Scalar>();
  const order = [...new Set(times.map(String))].sort((a, b) => millisecondsOf(a) - millisecondsOf(b));
  let others = 0;
  let ids = 0;

  function invent(value: Scalar, meaning: Meaning): Scalar {
    const text = String(value);
    if (meaning === 'word' || typeof value === 'boolean' || text.trim() === '') return value;
    if (meaning !== 'id' && order.includes(text)) return inventTime(value, order.indexOf(text));
    if (meaning === 'person' || meaning === 'us') {
      if (isPhone(value)) return respell(value, meaning === 'person' ? person : ourselves, defaultCountry);
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
