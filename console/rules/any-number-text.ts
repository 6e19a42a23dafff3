import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Groups the digits of a number as its country does. Other text is returned as it is. */
export function anyNumberText(number: string): string {
  return parsePhoneNumberFromString(number, { extract: false })?.formatInternational() ?? number;
}
