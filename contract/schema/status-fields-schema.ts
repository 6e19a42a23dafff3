import { isSupportedCountry } from 'libphonenumber-js/mobile';
import * as z from 'zod';
import { type NumberRules, numberFormats } from '../phone/phone-number.ts';
import { isTimeZone, timeFormats } from '../text/time.ts';
import { canonicalErrorReasons } from './sms-event.ts';

/** The fields of a delivery report: of the webhook's reports, and of the answers to lookups. */

export const text = z.string().min(1);
export const expression = z.string().min(1).describe('A JMESPath expression.');
/** How the numbers of a contract, or of an import, are written. */
export const numberRules = {
  numbers: z
    .enum(numberFormats)
    .default('mixed')
    .describe(
      'How numbers are written. "international": with their country code, with or without "+". "national": as in "defaultCountry". "mixed": either way, and a number that may be two stays as received.',
    ),
  defaultCountry: z
    .string()
    .regex(/^[A-Z]{2}$/, {
      error: 'expected a country as two capital letters, for example "BR"',
      abort: true,
    })
    .refine(isSupportedCountry, 'no country has these letters (ISO 3166-1); the United Kingdom is "GB"')
    .nullable()
    .default(null)
    .describe('The country of numbers without a country code, for example "BR".'),
};

/** @returns what is wrong with the rules; undefined if nothing is */
export function problemOfNumberRules({ numbers, defaultCountry }: NumberRules): string | undefined {
  if (numbers === 'national' && defaultCountry === null)
    return 'expected "defaultCountry": national numbers are those of a country';
  return undefined;
}

export const timeFormat = z.union([z.enum(timeFormats), z.array(z.enum(timeFormats)).min(1)]);

export const timeZone = z
  .string()
  .refine(isTimeZone, 'expected a zone, such as "UTC", "America/New_York" or "+05:30"')
  .nullable()
  .default(null);

export const time = expression
  .nullable()
  .describe("JMESPath to the event's time. null uses the time of receipt.");
/** What an error code means: a reason, or that there is no error. */
export const errorMeaning = z.enum([...canonicalErrorReasons, 'none']);

/** An expression for a field that not every service sends. */
export const optionalField = (meaning: string) =>
  expression.nullable().default(null).describe(`JMESPath to ${meaning}, or null.`);

export const statusFields = z
  .strictObject({
    messageId: expression.describe("JMESPath to the message's id."),
    sendId: optionalField("the bulk send's id"),
    recipient: optionalField("the recipient's number"),
    status: expression.describe('JMESPath to the word that "statuses" maps.'),
    occurredAt: time,
    errorCode: optionalField('the code that "errors" maps'),
    errorText: optionalField('a text about the error'),
    price: optionalField('the price of the whole message, whose minus is ignored'),
    currency: optionalField(
      "the currency of the price by ISO 4217, or a text such as 'EUR' if the service documents one currency",
    ),
    segments: optionalField('the number of parts in which the message was sent'),
    network: optionalField(
      "the mobile country code and network code (MCC and MNC) of the recipient's network",
    ),
    carrier: optionalField("the name of the recipient's network"),
    final: optionalField('a value that is true if no further report follows'),
    parentMessageId: optionalField(
      'the id that the sender knows, if each part of a message has an id of its own',
    ),
    channel: optionalField('the channel of the message, such as `whatsapp`; left out for SMS'),
  })
  .describe('The fields of a delivery report.');
