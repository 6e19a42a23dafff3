import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The country of text that is no number, and of numbers of no country (Unicode CLDR, "Unknown or Unspecified Region"). */
const unknownCountry = 'ZZ';

/**
 * Returns the country of a number, ISO 3166-1. Of a number that the numbering plan does not have it is the main country of its calling code.
 *
 * @param phone E.164
 */
export function countryOf(phone: string | undefined): string {
  const parsed = phone === undefined ? undefined : parsePhoneNumberFromString(phone, { extract: false });
  return parsed?.country ?? parsed?.getPossibleCountries()[0] ?? unknownCountry;
}
