import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

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
 * E.164, or undefined if the text is no phone number. A number without "+" is national where that makes a valid number,
 * else international where that does, else national if only its length fits (numbering plans grow).
 */
export function toE164(text: string, defaultCountry: string | null): string | undefined {
  const trimmed = text.trim();
  const written = parse(trimmed, defaultCountry);
  const international = /^[1-9][\d\s().-]*$/.test(trimmed) ? parse(`+${trimmed}`, null) : undefined;
  const best = [written, international].find((number) => number?.isValid()) ?? written;
  return best?.isPossible() ? best.number : undefined;
}

function parse(text: string, country: string | null) {
  const defaultCountry = country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {};
  return parsePhoneNumberFromString(text, { ...defaultCountry, extract: false });
}
