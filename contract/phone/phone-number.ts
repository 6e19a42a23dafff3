import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneKey, subscriberOf } from './phone-key.ts';

/**
 * Converts a phone number, as people and services write it, to E.164 if possible.
 *
 * @param defaultCountry country of numbers written without a country code, for example "BR"
 * @returns E.164, or the trimmed text (short codes and alphanumeric originators are not numbers)
 */
export function normalizePhone(text: string, defaultCountry: string | null): string {
  return toE164(text, defaultCountry) ?? text.trim();
}

/**
 * Digits with the usual separators, possibly after the international prefix 00. Only after 00 may a bracket or separator precede the
 * first digit: `(479) 223-4567` begins with an area code, not with a country code.
 */
const withoutPlus = /^(?:(?<prefix>00)[\s().-]*)?(?<digits>[1-9][\d\s().-]*)$/;

/**
 * Returns E.164, or undefined if the text is not a phone number. A number without "+" is read as national if that is valid, otherwise as
 * international if that is valid, otherwise as national if its length is possible, because numbering plans grow. A number after 00 is
 * read as international first, because some countries would read a carrier code there.
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
  /** Whether the numbering plan has the number; otherwise only its length is possible. */
  readonly isValid: boolean;
}

function read(text: string, country: string | null): Reading | undefined {
  const parsed = parse(text, country);
  if (parsed?.isValid()) return { number: parsed.number, isValid: true };
  const former = formerNotation(text);
  if (former !== undefined) return { number: former, isValid: true };
  return parsed?.isPossible() ? { number: parsed.number, isValid: false } : undefined;
}

/** Reads a notation that the numbering plan no longer has, such as +521 in Mexico. */
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
