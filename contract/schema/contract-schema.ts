import { z } from 'zod';
import { headerName, signature } from './signature-schema.ts';
import { canonicalErrorReasons, canonicalStatuses } from './sms-event.ts';

/**
 * The one description of `contract.json`: what the SMS service's document does not show.
 * It validates the file at synth and bundle time; the JSON Schema for editors is generated from it.
 * Functions receive the validated value and import only its types, so zod stays out of their bundles.
 */

const text = z.string().min(1);
const path = z
  .string()
  .startsWith('/', 'expected a path that begins with /')
  .describe('Of the operation, below the base URL.');
const expression = z.string().min(1).describe('A JMESPath expression.');
const time = expression
  .nullable()
  .describe(
    'JMESPath to the time it happened, or null: then it is the time at which the webhook received it.',
  );
/** An expression of a field that not every service tells. */
const optionalField = (meaning: string) =>
  expression
    .nullable()
    .default(null)
    .describe(`JMESPath to ${meaning}, or null where the service does not tell.`);
const method = z.enum(['GET', 'POST', 'PUT', 'DELETE']).describe('The HTTP method.');

const service = z
  .strictObject({
    baseUrl: z.url({ protocol: /^https?$/ }).describe('Where the service answers, without a trailing path.'),
    token: z
      .strictObject({
        exchange: z
          .strictObject({
            method,
            path,
            apiKey: z
              .strictObject({
                in: z.enum(['body', 'header', 'query']).describe('In the JSON body, a header or the query.'),
                name: text.describe('The name of the field, the header or the parameter.'),
                prefix: z.string().default('').describe('Written before the key, for example "Bearer ".'),
              })
              .describe('Where the API key goes in the request.'),
            accessToken: expression.describe('JMESPath to the token in the answer.'),
            expiresIn: expression
              .nullable()
              .describe('JMESPath to its lifetime in seconds, or null if not told.'),
            defaultLifetimeSeconds: z
              .int()
              .positive()
              .default(300)
              .describe('How long a token is used whose lifetime the answer does not tell.'),
          })
          .refine(({ method, apiKey }) => method !== 'GET' || apiKey.in !== 'body', {
            path: ['apiKey', 'in'],
            message: 'expected "header" or "query": a GET request has no body',
          })
          .describe('The operation that gives a token for the API key.'),
        revoke: z
          .strictObject({ method, path })
          .nullable()
          .describe('How a token is given back, or null where it only expires.'),
      })
      .describe('How an API key becomes a Bearer token.'),
  })
  .describe('The service: where it is and how an API key becomes a Bearer token.');

const statusFields = z
  .strictObject({
    messageId: expression.describe("JMESPath to the message's id: reports of the same one are joined."),
    sendId: optionalField('the id of the bulk send it belongs to'),
    recipient: optionalField('the number it was sent to'),
    status: expression.describe('JMESPath to the word that "statuses" maps.'),
    occurredAt: time,
    errorCode: optionalField('the code that "errors" maps'),
    errorText: optionalField('a text about the error, for people'),
  })
  .describe('The fields of a delivery report.');

const replyFields = z
  .strictObject({
    replyId: optionalField("the reply's id"),
    messageId: optionalField('the id of the message it answers'),
    from: expression.describe('JMESPath to the number it came from.'),
    to: optionalField('the number it was sent to'),
    text: expression.describe('JMESPath to its text, which may be empty.'),
    occurredAt: time,
  })
  .describe('The fields of a reply.');

const events = z
  .strictObject({
    list: expression.describe('JMESPath from the body to the list of events.'),
    kind: expression.describe('JMESPath from an event to "sms.status" or "sms.reply".'),
    id: z
      .discriminatedUnion('from', [
        z.strictObject({ from: z.literal('signed-id') }).describe("The signature's {id} header."),
        z
          .strictObject({ from: z.literal('body'), path: expression.describe('JMESPath to the id.') })
          .describe('A field of the event.'),
        z.strictObject({ from: z.literal('content') }).describe("The SHA-256 of the event's content."),
      ])
      .describe('What makes two deliveries the same event.'),
    timeFormat: z
      .enum(['iso8601', 'unix-seconds', 'unix-milliseconds'])
      .describe('How times are written; ISO 8601 without a zone is UTC.'),
    defaultCountry: z
      .string()
      .regex(/^[A-Z]{2}$/, 'expected a country as two capital letters, for example "BR"')
      .nullable()
      .default(null)
      .describe('Country of numbers written without a country code.'),
    status: statusFields,
    reply: replyFields,
  })
  .describe('Where things are in a body. All expressions but "list" start at one event.');

const sample = z
  .strictObject({
    name: text.describe('What it shows, in a few words.'),
    source: z.url().optional().describe('Where the service documents it.'),
    body: z.json().optional().describe('The body: JSON, or for bodyFormat "form" an object of text fields.'),
    bodyText: text.optional().describe('Instead of "body": the very text, where a signature covers it.'),
    request: z
      .strictObject({
        url: z.url().default('https://example.com/webhooks/sms').describe('Where it was posted to.'),
        headers: z.record(headerName, z.string()).describe('Those that the signature is made of.'),
        secret: text.describe('A secret of the documentation, or an invented one; never one that is in use.'),
        receivedAt: z.iso.datetime().describe('When it came: its timestamp has to be recent then.'),
        signed: z
          .enum(['documented', 'by us'])
          .describe(
            "Whether the signature is the documentation's own, or was made by the scheme it describes.",
          ),
      })
      .optional()
      .describe('What else came with it: the signature has to verify.'),
    becomes: z
      .array(z.record(z.string(), z.string()))
      .min(1)
      .optional()
      .describe(
        'The events it must become, in order: for each, the fields to compare, "kind" among them. May be left out where "request" shows a signature alone.',
      ),
  })
  .refine(({ body, bodyText }) => (body === undefined) !== (bodyText === undefined), {
    message: 'expected either "body" or "bodyText"',
  })
  .refine(({ request, becomes }) => request !== undefined || becomes !== undefined, {
    path: ['becomes'],
    message: 'expected the events it must become, or a "request" whose signature is checked',
  });

const about = z
  .strictObject({
    service: text.describe('Its name.'),
    documentation: z.array(z.url()).describe('Where these facts are from.'),
    unverified: z
      .array(text)
      .default([])
      .describe('What the documentation does not show: check it against a real event.'),
  })
  .describe('What the contract is of, and how far to trust it.');

/** Schema of `contract.json`. */
export const contractSchema = z
  .strictObject({
    $schema: z.string().optional(),
    about: about.optional(),
    service,
    webhook: z
      .strictObject({
        signature,
        acknowledge: z
          .strictObject({
            status: z.int().min(200).max(299).default(200).describe('The HTTP status of the answer.'),
          })
          .describe('What the service takes for received.'),
        bodyFormat: z.enum(['json', 'form']).describe('JSON, or a form (application/x-www-form-urlencoded).'),
      })
      .describe("The webhook's requests: how they are signed, answered and written."),
    events,
    statuses: z
      .record(text, z.enum(canonicalStatuses))
      .describe("The service's words for a status, each with the canonical one."),
    errors: z
      .record(text, z.enum(canonicalErrorReasons))
      .default({})
      .describe("The service's error codes, each with the canonical reason. An unlisted code has none."),
    samples: z
      .array(sample)
      .describe('Real bodies with what they become; synthesis stops where one does not.'),
  })
  .superRefine((contract, context) => {
    const { signature: scheme, bodyFormat } = contract.webhook;
    const template = 'signedContent' in scheme ? scheme.signedContent : '';
    const signsId = template.includes('{id}') || (scheme.scheme === 'jwt' && scheme.id !== null);
    if (contract.events.id.from === 'signed-id' && !signsId)
      context.addIssue({
        code: 'custom',
        path: ['events', 'id', 'from'],
        message:
          'expected "body" or "content": "signed-id" needs a signature whose signedContent holds {id}, or a JWT with an id',
      });
    if (template.includes('{form') && bodyFormat !== 'form')
      context.addIssue({
        code: 'custom',
        path: ['webhook', 'signature', 'signedContent'],
        message: 'expected {body}: only a body of the format "form" has parameters to sort',
      });
  })
  .meta({
    title: 'Contract of the SMS service',
    description: 'What the documentation of the service does not show.',
  });

/** A validated contract: `contract.json` with every default filled in. */
export type Contract = z.output<typeof contractSchema>;

export type SignatureContract = Contract['webhook']['signature'];
export type HmacSignatureContract = Extract<SignatureContract, { scheme: 'hmac' }>;
export type PublicKeySignatureContract = Extract<SignatureContract, { scheme: 'public-key' }>;
export type JwtSignatureContract = Extract<SignatureContract, { scheme: 'jwt' }>;
export type TokenSignatureContract = Extract<SignatureContract, { scheme: 'token' }>;
/** Schemes that sign a text made of the request. */
export type SignedTextContract = HmacSignatureContract | PublicKeySignatureContract;
export type EventsContract = Contract['events'];

/** The contract a function was bundled with: validated, every default filled in, without what only the validation needs. */
export type BundledContract = Omit<Contract, '$schema' | 'about'>;

/** Of the contract what ingest needs: nothing else is loaded at its start. */
export type BundledWebhook = Contract['webhook'] & {
  /** As `contractHash` gives it. */
  readonly hash: string;
};
