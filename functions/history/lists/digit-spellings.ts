import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { e164, phoneNotations } from '../../../contract/phone/phone-key.ts';

/** Shorter national numbers would match short codes. */
const minNationalDigits = 7;

/**
 * Returns the digits under which the history may keep a number that was received without "+": digits that may be two numbers stay as received.
 * The digits are those with the country code, those without it, and those with the national prefix.
 *
 * @param phone E.164; any other text has no such spellings
 */
export function digitSpellings(phone: string): readonly string[] {
  const numbers = phoneNotations(phone).filter((number) => e164.test(number));
  const spellings = numbers.flatMap((number) => {
    const parsed = parsePhoneNumberFromString(number, { extract: false });
    const digits = number.slice(1);
    if (parsed === undefined || parsed.nationalNumber.length < minNationalDigits) return [digits];
    return [digits, parsed.nationalNumber, parsed.formatNational().replace(/\D/g, '')];
  });
  return [...new Set(spellings)];
}
