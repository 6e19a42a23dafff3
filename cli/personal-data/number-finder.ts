import { parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneNotations } from '../../contract/phone/phone-key.ts';
import { readings } from './readings.ts';

/** Fewer digits without a country code are anybody's: dates, short codes. */
const minNationalDigits = 7;

/** What stands between the groups of digits of a number. */
const visibleSeparators = ['-', ' ', '.'] as const;
const spellingSeparators = ['', ...visibleSeparators] as const;

/**
 * Usual ways to write a number without its country code: as the country formats it, the same groups with other separators, and the
 * digits without the prefix for calls within the country. A text like this may belong to a number of another country.
 *
 * @param phone E.164; anything else has none
 */
export function nationalSpellings(phone: string): readonly string[] {
  const spellings = phoneNotations(phone).flatMap((number) => {
    const parsed = parsePhoneNumberFromString(number, { extract: false });
    if (parsed === undefined || parsed.nationalNumber.length < minNationalDigits) return [];
    const formatted = parsed.formatNational();
    const groups = formatted.match(/\d+/g) ?? [];
    return [
      formatted,
      ...spellingSeparators.map((separator) => groups.join(separator)),
      parsed.nationalNumber,
    ];
  });
  return [...new Set(spellings)];
}

/**
 * Usual ways to write a number with its country code that the version before stored as they were written, because it did not read them:
 * `tel:` URIs, the prefix 00, and Mexico's former notation. The groups are those of the country's international format.
 *
 * @param phone E.164; anything else has none
 */
export function separatedSpellings(phone: string): readonly string[] {
  const [key = '', ...others] = phoneNotations(phone);
  const groups = parsePhoneNumberFromString(key, { extract: false })?.formatInternational().match(/\d+/g);
  const [country, ...national] = groups ?? [];
  if (country === undefined) return [];
  const marked = (groupsWithCode: readonly string[]) =>
    visibleSeparators.flatMap((separator) => {
      const grouped = groupsWithCode.join(separator);
      const behindPrefix = [grouped, `${separator}${grouped}`, `${separator}${groupsWithCode.join('')}`];
      return [`tel:+${grouped}`, ...behindPrefix.map((digits) => `00${digits}`)];
    });
  if (!others.some((other) => other.startsWith('+521'))) return marked([country, ...national]);
  const former = [country, '1', ...national];
  const unmarked = visibleSeparators.map((separator) => former.join(separator));
  return [
    ...marked([country, ...national]),
    ...marked(former),
    ...unmarked,
    ...unmarked.map((text) => `+${text}`),
  ];
}

/**
 * What people and machines put between the digits of a number, other than letters: spaces, dashes, brackets, dots, slashes,
 * the commas of thousands, the "+" that stands for a space in a form, backslashes of escapes, the marks of keycaps, characters that are
 * not seen or could not be decoded.
 */
const separators = String.raw`[\s\p{M}\p{Pd}\p{Cf}\p{Cc}\ufffd().\[\]/+_~,:;|*\\'’·]{0,8}`;

/** Numbers this short would be found in every date; they are looked for with their country code only. */
const leastNationalDigits = 7;

/** More digits right before it than any prefix has: it is the end of something longer, as an id is. */
const notInsideDigits = String.raw`(?<!\d{9})`;

/** Quick to see in most text that it holds no number: seven digits with 16 UTF-16 units between them, which are 8 characters. */
const enoughDigits = /\d(?:\D{0,16}\d){6}/;

const unicodeDigits = /(?![0-9])\p{Nd}/gu;

/**
 * Makes a search for one phone number in any text: international or national, with or without "+", prefixes, separators
 * and encodings; as a number of JSON too. It rather finds a number too many than one too few: what is found may be a number
 * of another country with the same national digits.
 *
 * @param phone E.164; what is none is found by its digits, and where it has few of them just as it stands, but not
 *   within a longer word or number
 */
export function numberFinder(phone: string): (text: string) => boolean {
  if (parseDigits(phone).length < leastNationalDigits) {
    const literal = phone.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    const word = new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'u');
    return (text) => readings(text).some((reading) => word.test(reading));
  }
  const numbers = new Set(phoneNotations(phone).flatMap(digitsOf));
  const spellings = [...numbers].map((digits) => [...digits].join(separators));
  const pattern = new RegExp(`${notInsideDigits}(?:${spellings.join('|')})(?!\\d)`, 'u');
  return (text) => {
    for (const reading of readings(text)) {
      const plain = reading.replace(unicodeDigits, digitOf);
      if (enoughDigits.test(plain) && pattern.test(plain)) return true;
    }
    return false;
  };
}

/** What was found of {@link digitOf}; there are some hundred such digits. */
const digits = new Map<string, string>();

/**
 * A digit of any script as one of 0 to 9. Each script has its ten digits in a row, and rows that touch are whole
 * (The Unicode Standard, section 4.6).
 */
function digitOf(character: string): string {
  const known = digits.get(character);
  if (known !== undefined) return known;
  const codePoint = character.codePointAt(0) ?? 0;
  let first = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  const digit = String((codePoint - first) % 10);
  digits.set(character, digit);
  return digit;
}

/** The digits that any spelling of a number contains: each of them one way to write it. */
function digitsOf(phone: string): string[] {
  const number = parsePhoneNumberFromString(phone);
  const international = parseDigits(phone);
  if (number === undefined || number.nationalNumber.length < leastNationalDigits) return [international];
  // Most countries write the national number behind a 0 or nothing; some, such as Argentina, change it.
  const written = parseDigits(number.formatNational()).replace(/^0/, '');
  return written.includes(number.nationalNumber) ? [number.nationalNumber] : [number.nationalNumber, written];
}
