import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneKey, subscriberOf } from './phone-key.ts';

/**
 * Brings a phone number as people and services write it to E.164, where it can be read as one.
 *
 * @param defaultCountry country of numbers written without a country code, for example "BR"
 * @returns E.164, or the trimmed text as it came (short codes and alphanumeric originators are not numbers)
 */
export function normalizePhone(text: string, defaultCountry: string | null): string {
  return toE164(text, defaultCountry) ?? text.trim();
}

/**
 * Digits with what people write between them, perhaps behind the international prefix 00. Only behind 00 may a bracket or separator
 * come before the first digit: `(479) 223-4567` begins with an area code, not with a country code.
 */
const withoutPlus = /^(?:(?<prefix>00)[\s().-]*)?(?<digits>[1-9][\d\s().-]*)$/;

/**
 * E.164, or undefined if the text is no phone number. A number without "+" is national where that makes a valid number,
 * else international where that does, else national if only its length fits (numbering plans grow). Behind 00 a number is
 * international first, because some countries would read a carrier code there.
 */
export function toE164(text: string, defaultCountry: string | null): string | undefined {
  const written = subscriberOf(text.trim());
  const { prefix, digits } = withoutPlus.exec(written)?.groups ?? {};
  const asWritten = read(written, defaultCountry);
  const international = digits === undefined ? undefined : read(`+${digits}`, null);
  const readings = prefix === undefined ? [asWritten, international] : [international, asWritten];
  const best =
    readings.find((reading) => reading?.isValid) ?? (prefix === undefined ? asWritten : international);
  return best?.number;
}

interface Reading {
  /** E.164 */
  readonly number: string;
  /** Whether the numbering plan has it; else only its length fits. */
  readonly isValid: boolean;
}

function read(text: string, country: string | null): Reading | undefined {
  const parsed = parse(text, country);
  if (parsed?.isValid()) return { number: parsed.number, isValid: true };
  const former = formerNotation(text);
  if (former !== undefined) return { number: former, isValid: true };
  return parsed?.isPossible() ? { number: parsed.number, isValid: false } : undefined;
}

/** A number in a notation that today's numbering plan does not have any more, such as +521 in Mexico. */
function formerNotation(text: string): string | undefined {
  if (!/^\+[\d\s().-]+$/.test(text)) return undefined;
  const number = `+${text.replace(/\D/g, '')}`;
  const key = phoneKey(number);
  return key !== number && parse(key, null)?.isValid() ? number : undefined;
}

function parse(text: string, country: string | null) {
  const defaultCountry = country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {};
  return parsePhoneNumberFromString(text, { ...defaultCountry, extract: false });
}
