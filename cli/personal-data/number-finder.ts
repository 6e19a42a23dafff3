import { parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { numberSeparators } from '../../contract/phone/mask.ts';
import { e164, phoneNotations } from '../../contract/phone/phone-key.ts';
import { readings } from './readings.ts';

/** Shorter national numbers would match dates and short codes; they are searched for with their country code only. */
export const minNationalDigits = 7;

/** The separators between groups of digits. */
const visibleSeparators = ['-', ' ', '.'] as const;
const spellingSeparators = ['', ...visibleSeparators] as const;

/**
 * Returns its digits without "+", and common spellings of a number without its country code: the country's own format, the same groups with other
 * separators, and the digits without the national prefix. Such a spelling may also belong to a number of another country.
 *
 * @param phone E.164; anything else has none
 */
export function nationalSpellings(phone: string): readonly string[] {
  const spellings = phoneNotations(phone).flatMap((number) => {
    const parsed = parsePhoneNumberFromString(number, { extract: false });
    const digits = e164.test(number) ? [number.slice(1)] : [];
    if (parsed === undefined || parsed.nationalNumber.length < minNationalDigits) return digits;
    const formatted = parsed.formatNational();
    const groups = formatted.match(/\d+/g) ?? [];
    return [
      ...digits,
      formatted,
      ...spellingSeparators.map((separator) => groups.join(separator)),
      parsed.nationalNumber,
    ];
  });
  return [...new Set(spellings)];
}

/**
 * Matches the separators that people and machines put between the digits of a number: those that masks know,
 * the commas of thousands, the "+" that stands for a space in a form, backslashes of escapes, the marks of keycaps, characters that are
 * invisible or could not be decoded.
 */
const separators = String.raw`[${numberSeparators}\p{M}\p{Cf}\p{Cc}\ufffd+,:;|*\\'’·]{0,8}`;

/** More digits before the number than any prefix has mean that it is the end of something longer, such as an id. */
const notInsideDigits = String.raw`(?<!\d{9})`;

/** A fast test that rules out most texts: seven digits with at most 16 UTF-16 units, which are 8 characters, between them. */
const enoughDigits = /\d(?:\D{0,16}\d){6}/;

const unicodeDigits = /(?![0-9])\p{Nd}/gu;

/**
 * Makes a search for one phone number in any text: international or national, with or without "+", prefixes, separators
 * and encodings; also as a JSON number. It prefers false matches to missed ones: a match may be a number of another country
 * with the same national digits.
 *
 * @param phone E.164; any other text is found by its digits, and one with few digits only literally, not within a longer word
 *   or number
 */
export function numberFinder(phone: string): (text: string) => boolean {
  if (parseDigits(phone).length < minNationalDigits) {
    const literal = phone.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    const word = new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'u');
    return (text) => readings(text).some((reading) => word.test(reading));
  }
  const spellings = digitsOf(phone).map((digits) => [...digits].join(separators));
  const pattern = new RegExp(`${notInsideDigits}(?:${spellings.join('|')})(?!\\d)`, 'u');
  return (text) => {
    for (const reading of readings(text)) {
      const plain = reading.replace(unicodeDigits, digitOf);
      if (enoughDigits.test(plain) && pattern.test(plain)) return true;
    }
    return false;
  };
}

/** Caches the results of {@link digitOf}; there are some hundred such digits. */
const digitCache = new Map<string, string>();

/**
 * Converts a digit of any script to one of 0 to 9. Each script has its ten digits in a row, and rows that touch are whole
 * (The Unicode Standard, section 4.6).
 */
function digitOf(character: string): string {
  const cached = digitCache.get(character);
  if (cached !== undefined) return cached;
  const codePoint = character.codePointAt(0) ?? 0;
  let first = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  const digit = String((codePoint - first) % 10);
  digitCache.set(character, digit);
  return digit;
}

/** Matches digits that may be several numbers, with what may be between the digits of one. */
const digitRun = new RegExp(String.raw`\d(?:${separators}\d)*`, 'gu');

/** No number has more digits. */
const maxDigits = 15;

/**
 * Yields the digits of everything in a text that {@link numberFinder} may take for a number, so that numbers of which only a hash is known can be found.
 * Numbers with fewer than seven digits are not among them.
 */
export function* digitsIn(text: string): Generator<string, void> {
  for (const reading of readings(text)) {
    const plain = reading.replace(unicodeDigits, digitOf);
    if (!enoughDigits.test(plain)) continue;
    for (const [run] of plain.matchAll(digitRun)) yield* endsIn(run);
  }
}

/** Yields the last digits at each end of a group of digits. */
function* endsIn(run: string): Generator<string, void> {
  let digits = '';
  for (const [group] of run.matchAll(/\d+/g)) {
    // Each text that is yielded may keep all of the text that it is a part of in memory.
    digits = (digits + group.slice(-maxDigits)).slice(-maxDigits);
    for (let length = minNationalDigits; length <= digits.length; length++) yield digits.slice(-length);
  }
}

/** Returns the digits that every spelling of a number contains, one text for each way of writing it. */
export function digitsOf(phone: string): readonly string[] {
  return [...new Set(phoneNotations(phone).flatMap(digitsOfNotation))];
}

function digitsOfNotation(phone: string): string[] {
  const number = parsePhoneNumberFromString(phone);
  const international = parseDigits(phone);
  if (number === undefined || number.nationalNumber.length < minNationalDigits) return [international];
  // Most countries write the national number after a 0 or nothing; some, such as Argentina, change it.
  const written = parseDigits(number.formatNational()).replace(/^0/, '');
  return written.includes(number.nationalNumber) ? [number.nationalNumber] : [number.nationalNumber, written];
}
