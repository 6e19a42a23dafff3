import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneNotations } from '../phone-key.ts';

/** Fewer digits without a country code are anybody's: dates, short codes. */
const minNationalDigits = 7;

/** What stands between the groups of digits of a number. */
const separators = ['', '-', ' ', '.'] as const;

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
    return [formatted, ...separators.map((separator) => groups.join(separator)), parsed.nationalNumber];
  });
  return [...new Set(spellings)];
}
