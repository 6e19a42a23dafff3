import * as z from 'zod';

/** The fields of a delivery report: of the webhook's reports, and of the answers to look-ups. */

export const text = z.string().min(1);
export const expression = z.string().min(1).describe('A JMESPath expression.');
export const time = expression
  .nullable()
  .describe("JMESPath to the event's time. null uses the time of receipt.");
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
  })
  .describe('The fields of a delivery report.');
