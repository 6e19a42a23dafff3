import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneNotations } from '../phone-key.ts';

/** Fewer digits without a country code are anybody's: dates, short codes. */
const minNationalDigits = 7;

/** What stands between the groups of digits of a number. */
const visibleSeparators = ['-', ' ', '.'] as const;
const separators = ['', ...visibleSeparators] as const;

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
