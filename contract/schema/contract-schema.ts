import * as z from 'zod';
import { headerName, signature } from './signature-schema.ts';
import { canonicalErrorReasons, canonicalStatuses, timeFormats } from './sms-event.ts';

/**
 * This is the one description of `contract.json`, which holds what the SMS service's document does not show.
 * It validates the file at synth and bundle time, and the JSON Schema for editors is generated from it.
 * Functions get the validated value and import only the types, so that zod stays out of their bundles.
 */

const text = z.string().min(1);
const path = z
  .string()
  .startsWith('/', 'expected a path that begins with /')
  .describe('The path of the operation, below the base URL.');
const expression = z.string().min(1).describe('A JMESPath expression.');
const time = expression
  .nullable()
  .describe(
    'JMESPath to the time of the event. With null, the time at which the webhook received it is used.',
  );
/** An expression for a field that not every service sends. */
const optionalField = (meaning: string) =>
  expression
    .nullable()
    .default(null)
    .describe(`JMESPath to ${meaning}, or null if the service does not send it.`);
const method = z.enum(['GET', 'POST', 'PUT', 'DELETE']).describe('The HTTP method.');

const service = z
  .strictObject({
    baseUrl: z.url({ protocol: /^https?$/ }).describe('The base URL of the service, without a path.'),
    token: z
      .strictObject({
        exchange: z
          .strictObject({
            method,
            path,
            apiKey: z
              .strictObject({
                in: z.enum(['body', 'header', 'query']).describe('The JSON body, a header or the query.'),
                name: text.describe('The name of the field, the header or the parameter.'),
                prefix: z.string().default('').describe('The text before the key, for example "Bearer ".'),
              })
              .describe('Where the API key goes in the request.'),
            accessToken: expression.describe('JMESPath to the token in the response.'),
            expiresIn: expression
              .nullable()
              .describe('JMESPath to its lifetime in seconds, or null if the response does not hold it.'),
            defaultLifetimeSeconds: z
              .int()
              .positive()
              .default(300)
              .describe('How long a token is used if the response does not hold its lifetime.'),
          })
          .refine(({ method, apiKey }) => method !== 'GET' || apiKey.in !== 'body', {
            path: ['apiKey', 'in'],
            message: 'expected "header" or "query": a GET request has no body',
          })
          .describe('The operation that exchanges the API key for a token.'),
        revoke: z
          .strictObject({ method, path })
          .nullable()
          .describe('The operation that revokes a token, or null if tokens only expire.'),
      })
      .describe('How an API key becomes a Bearer token.'),
  })
  .describe('The service: its URL, and how an API key becomes a Bearer token.');

const statusFields = z
  .strictObject({
    messageId: expression.describe(
      "JMESPath to the message's id. Reports with the same id belong to one message.",
    ),
    sendId: optionalField('the id of the bulk send that the message belongs to'),
    recipient: optionalField('the number that the message was sent to'),
    status: expression.describe('JMESPath to the word that "statuses" maps to a canonical status.'),
    occurredAt: time,
    errorCode: optionalField('the code that "errors" maps to a canonical reason'),
    errorText: optionalField('a text about the error'),
  })
  .describe('The fields of a delivery report.');

const replyFields = z
  .strictObject({
    replyId: optionalField("the reply's id"),
    messageId: optionalField('the id of the message that the reply answers'),
    from: expression.describe("JMESPath to the sender's number."),
    to: optionalField('the number that the reply was sent to'),
    text: expression.describe('JMESPath to the text of the reply, which may be empty.'),
    occurredAt: time,
  })
  .describe('The fields of a reply.');

const events = z
  .strictObject({
    list: expression.describe('JMESPath from the body to the list of events.'),
    kind: expression.describe('JMESPath from an event to its kind: "sms.status" or "sms.reply".'),
    id: z
      .discriminatedUnion('from', [
        z.strictObject({ from: z.literal('signed-id') }).describe('The id that the signature covers.'),
        z
          .strictObject({ from: z.literal('body'), path: expression.describe('JMESPath to the id.') })
          .describe('A field of the event.'),
        z.strictObject({ from: z.literal('content') }).describe("The SHA-256 of the event's content."),
      ])
      .describe('The identity of an event: deliveries with the same id are the same event.'),
    timeFormat: z.enum(timeFormats).describe('The format of times. ISO 8601 without a zone is UTC.'),
    defaultCountry: z
      .string()
      .regex(/^[A-Z]{2}$/, 'expected a country as two capital letters, for example "BR"')
      .nullable()
      .default(null)
      .describe('The country of numbers without a country code.'),
    status: statusFields,
    reply: replyFields,
  })
  .describe(
    'Where the events and their fields are in a body. Every expression except "list" starts at one event.',
  );

const sample = z
  .strictObject({
    name: text.describe('What the sample shows, in a few words.'),
    source: z.url().optional().describe('The page where the service documents it.'),
    body: z.json().optional().describe('The body: JSON, or an object of text fields for bodyFormat "form".'),
    bodyText: text
      .optional()
      .describe('The exact text of the body, instead of "body", if a signature covers it.'),
    request: z
      .strictObject({
        url: z.url().default('https://example.com/webhooks/sms').describe('The URL that it was posted to.'),
        headers: z.record(headerName, z.string()).describe('The headers that the signature needs.'),
        secret: text.describe(
          'A secret from the documentation, or an invented one; never one that is in use.',
        ),
        receivedAt: z.iso
          .datetime()
          .describe('The time of receipt. The timestamp of the request must be recent at that time.'),
        signed: z
          .enum(['documented', 'by us'])
          .describe(
            'Whether the signature comes from the documentation, or was made by the documented scheme.',
          ),
      })
      .optional()
      .describe('The rest of the request, whose signature must verify.'),
    becomes: z
      .array(z.record(z.string(), z.string()))
      .min(1)
      .optional()
      .describe(
        'The expected events, in order, each with the fields to compare, including "kind". It may be left out if "request" only shows a signature.',
      ),
  })
  .refine(({ body, bodyText }) => (body === undefined) !== (bodyText === undefined), {
    message: 'expected either "body" or "bodyText"',
  })
  .refine(({ request, becomes }) => request !== undefined || becomes !== undefined, {
    path: ['becomes'],
    message: 'expected the resulting events, or a "request" whose signature is verified',
  });

const about = z
  .strictObject({
    service: text.describe('The name of the service.'),
    documentation: z.array(z.url()).describe('The sources of these facts.'),
    unverified: z
      .array(text)
      .default([])
      .describe('What the documentation does not show. Check it against a real event.'),
  })
  .describe('The service of this contract, and how far to trust the contract.');

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
            status: z.int().min(200).max(299).default(200).describe('The HTTP status of the response.'),
          })
          .describe('The response that confirms receipt to the service.'),
        bodyFormat: z.enum(['json', 'form']).describe('JSON, or a form (application/x-www-form-urlencoded).'),
      })
      .describe("The webhook's requests: their signature, their acknowledgement and their format."),
    events,
    statuses: z
      .record(text, z.enum(canonicalStatuses))
      .describe("The service's words for a status, each with its canonical status."),
    errors: z
      .record(text, z.enum(canonicalErrorReasons))
      .default({})
      .describe("The service's error codes, each with its canonical reason. An unlisted code has no reason."),
    samples: z
      .array(sample)
      .describe(
        'Real bodies with the resulting events. Synthesis fails if the contract reads one differently.',
      ),
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
/** The schemes that sign a text made of the request. */
export type SignedTextContract = HmacSignatureContract | PublicKeySignatureContract;
export type EventsContract = Contract['events'];

/** The contract that a function is bundled with: validated, with every default, without the parts that only validation needs. */
export type BundledContract = Omit<Contract, '$schema' | 'about'>;

/** The part of the contract that ingest needs at its start. */
export type BundledWebhook = Contract['webhook'] & {
  /** The result of `contractHash`. */
  readonly hash: string;
};
