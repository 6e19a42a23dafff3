import { z } from 'zod';
import { canonicalStatuses } from '../statuses.ts';

/**
 * The one description of `contract.json`: what the SMS service's document does not show.
 * It validates the file at synth and bundle time; the JSON Schema for editors is generated from it.
 * Functions receive the validated value and import only its types, so zod stays out of their bundles.
 */

const text = z.string().min(1);
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of an HTTP header')
  .describe('Name of an HTTP header; case does not matter.');
const path = z.string().startsWith('/', 'expected a path that begins with /');
const expression = z.string().min(1).describe('A JMESPath expression.');
const method = z.enum(['GET', 'POST', 'PUT', 'DELETE']);

const service = z
  .strictObject({
    baseUrl: z.url({ protocol: /^https?$/ }).describe('Where the service answers, without a trailing path.'),
    token: z.strictObject({
      exchange: z
        .strictObject({
          method,
          path,
          apiKey: z
            .strictObject({
              in: z.enum(['body', 'header', 'query']),
              name: text,
              prefix: z.string().default('').describe('Written before the key, for example "Bearer ".'),
            })
            .describe('Where the API key goes in the request.'),
          accessToken: expression.describe('JMESPath to the token in the answer.'),
          expiresIn: expression
            .nullable()
            .describe('JMESPath to its lifetime in seconds, or null if not told.'),
          defaultLifetimeSeconds: z.int().positive().default(300),
        })
        .refine(({ method, apiKey }) => method !== 'GET' || apiKey.in !== 'body', {
          path: ['apiKey', 'in'],
          message: 'expected "header" or "query": a GET request has no body',
        }),
      revoke: z.strictObject({ method, path }).nullable(),
    }),
  })
  .describe('The service: where it is and how an API key becomes a Bearer token.');

const hmacSignature = z.strictObject({
  scheme: z.literal('hmac'),
  algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512']),
  encoding: z.enum(['hex', 'base64', 'base64url']),
  header: headerName.describe('Header that carries the signature or signatures.'),
  prefix: z.string().default('').describe('Before each signature, for example "v1," or "sha256=".'),
  separator: z.string().min(1).nullable().default(null).describe('Between several signatures, or null.'),
  signedContent: z
    .string()
    .regex(/\{body\}/, 'expected a template that holds {body}')
    .describe('What is signed: {body}, {timestamp}, {id}, {url} and {header:<name>} are filled in.'),
  secret: z
    .strictObject({
      encoding: z.enum(['utf8', 'base64', 'hex']),
      prefix: z
        .string()
        .default('')
        .describe('Removed before decoding. A secret without it is taken as UTF-8 text.'),
    })
    .describe('How the text of the secret becomes the key.'),
  id: z.strictObject({ header: headerName }).nullable().default(null),
  timestamp: z
    .strictObject({
      header: headerName,
      unit: z.enum(['seconds', 'milliseconds']),
      toleranceSeconds: z.int().positive().describe('The replay window, to either side of now.'),
    })
    .nullable()
    .default(null),
});

const tokenSignature = z.strictObject({
  scheme: z.literal('token'),
  header: headerName.describe('Header that carries the secret itself.'),
  prefix: z.string().default(''),
});

const noSignature = z.strictObject({
  scheme: z.literal('none'),
  anyoneMayPost: z.literal(true).describe('Says that you know: whoever finds the URL can write history.'),
});

const signature = z
  .discriminatedUnion('scheme', [hmacSignature, tokenSignature, noSignature])
  .superRefine((value, context) => {
    if (value.scheme !== 'hmac') return;
    const placeholders = [...value.signedContent.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
    const problem = (message: string) =>
      context.addIssue({ code: 'custom', path: ['signedContent'], message });
    for (const name of placeholders) {
      if (
        name.startsWith('header:')
          ? headerName.safeParse(name.slice(7)).success
          : ['body', 'timestamp', 'id', 'url'].includes(name)
      )
        continue;
      problem(`expected {body}, {timestamp}, {id}, {url} or {header:<name>}, found {${name}}`);
    }
    for (const name of touching(value.signedContent))
      problem(`expected a text between {${name}} and its neighbour: bytes could move from one to the other`);
    if (placeholders.includes('id') && value.id === null)
      problem('uses {id}, so expected "id" to name its header');
    if (placeholders.includes('timestamp') && value.timestamp === null)
      problem('uses {timestamp}, so expected "timestamp" to name its header');
    if (value.timestamp !== null && !placeholders.includes('timestamp'))
      problem('expected {timestamp}: a timestamp that is not signed proves nothing');
  });

/** Ids and headers, which may hold anything, with no text between them and what is next to them on the side of the body. */
function touching(template: string): string[] {
  const parts = template.split(/\{([^}]*)\}/);
  const body = parts.findIndex((part, index) => index % 2 === 1 && part === 'body');
  if (body < 0) return [];
  return parts.filter((name, index) => {
    const isFree = index % 2 === 1 && (name === 'id' || name.startsWith('header:'));
    return isFree && parts[index < body ? index + 1 : index - 1] === '';
  });
}

const statusFields = z.strictObject({
  messageId: expression,
  sendId: expression.nullable().default(null),
  recipient: expression.nullable().default(null),
  status: expression,
  occurredAt: expression,
  errorCode: expression.nullable().default(null),
  errorText: expression.nullable().default(null),
});

const replyFields = z.strictObject({
  replyId: expression.nullable().default(null),
  messageId: expression.nullable().default(null),
  from: expression,
  to: expression.nullable().default(null),
  text: expression,
  occurredAt: expression,
});

const events = z
  .strictObject({
    list: expression.describe('JMESPath from the body to the list of events.'),
    kind: expression.describe('JMESPath from an event to "sms.status" or "sms.reply".'),
    id: z
      .discriminatedUnion('from', [
        z.strictObject({ from: z.literal('signed-id') }).describe("The signature's {id} header."),
        z.strictObject({ from: z.literal('body'), path: expression }).describe('A field of the event.'),
        z.strictObject({ from: z.literal('content') }).describe("The SHA-256 of the event's content."),
      ])
      .describe('What makes two deliveries the same event.'),
    timeFormat: z.enum(['iso8601', 'unix-seconds', 'unix-milliseconds']),
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

const sample = z.strictObject({
  name: text,
  body: z.json().describe('The body: JSON, or for bodyFormat "form" an object of text fields.'),
  becomes: z
    .array(z.record(z.string(), z.string()))
    .min(1)
    .describe('The events it must become, in order: for each, the fields to compare, "kind" among them.'),
});

/** Schema of `contract.json`. */
export const contractSchema = z
  .strictObject({
    $schema: z.string().optional(),
    service,
    webhook: z.strictObject({
      signature,
      acknowledge: z.strictObject({ status: z.int().min(200).max(299).default(200) }),
      bodyFormat: z.enum(['json', 'form']),
    }),
    events,
    statuses: z
      .record(text, z.enum(canonicalStatuses))
      .describe("The service's words for a status, each with the canonical one."),
    samples: z.array(sample),
  })
  .superRefine((contract, context) => {
    const { signature: scheme } = contract.webhook;
    if (
      contract.events.id.from === 'signed-id' &&
      !(scheme.scheme === 'hmac' && scheme.signedContent.includes('{id}'))
    )
      context.addIssue({
        code: 'custom',
        path: ['events', 'id', 'from'],
        message:
          'expected "body" or "content": "signed-id" needs an hmac signature whose signedContent holds {id}',
      });
  })
  .meta({
    title: 'Contract of the SMS service',
    description: 'What the documentation of the service does not show.',
  });
