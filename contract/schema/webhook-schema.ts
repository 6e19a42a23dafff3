import * as z from 'zod';
import { charsetOf } from '../text/charset.ts';
import { signature } from './signature-schema.ts';
import { text } from './status-fields-schema.ts';

const retries = z
  .strictObject({
    hours: z
      .number()
      .min(0)
      .describe(
        'The number of hours for which the service sends an event again that was not acknowledged. Less than 0.1 means seconds, or never.',
      ),
    describe: text.describe('How often the service retries, and after which answers, as a sentence.'),
    urlSuffix: text
      .exactOptional()
      .describe(
        'A text behind the URL of the webhook that makes the service retry, if it has such a setting.',
      ),
    source: z.url().describe('The page that documents it.'),
  })
  .describe('How the service retries, for "sms doctor". Left out if it is not documented.');

const charsetLabel = z
  .string()
  .refine((label) => charsetOf(label) !== undefined, 'expected a charset, such as "windows-1252"');

const charset = z
  .union([
    charsetLabel,
    z.strictObject({
      field: text.describe('The field of the form that names the charset.'),
      of: z.array(text).min(1).describe('The fields that are written in this charset.'),
      otherwise: charsetLabel
        .default('utf-8')
        .describe('The charset of the other fields, and of all if no charset is named.'),
    }),
  ])
  .exactOptional()
  .describe(
    'The character set of texts: its label, or the field of a form that names the charset of others. UTF-8 by default.',
  );

const bodyFormat = z
  .enum(['json', 'form'])
  .describe('The format of bodies: JSON, or a form (application/x-www-form-urlencoded).');

const contentType = z
  .string()
  .regex(/^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/, 'expected a media type, such as "text/xml"')
  .exactOptional()
  .describe('The media type of "body". It is "text/plain; charset=utf-8" by default.');

/** The statuses whose answers have no content (RFC 9110, sections 15.3.5 and 15.3.6). */
const withoutContent = [204, 205];

function checkAnswer(
  answer: { status: number; body?: string; contentType?: string; method?: string },
  context: z.RefinementCtx,
): void {
  const problem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const noBody = withoutContent.includes(answer.status)
    ? `an answer with the status ${answer.status} has no body`
    : answer.method === 'HEAD'
      ? 'the answer to HEAD has no body'
      : undefined;
  for (const key of ['body', 'contentType'] as const)
    if (noBody !== undefined && answer[key] !== undefined)
      problem(key, `expected nothing: ${noBody}. Remove it`);
  if (noBody === undefined && answer.contentType !== undefined && answer.body === undefined)
    problem('contentType', 'expected "body" beside it: the default body is JSON');
}

const acknowledge = z
  .strictObject({
    status: z.int().min(200).max(299).default(200).describe('The status of the response.'),
    contentType,
    body: z
      .string()
      .max(1024)
      .exactOptional()
      .describe(
        'The exact text that the service expects, which may be empty. By default it is JSON with the id of the request.',
      ),
  })
  .superRefine(checkAnswer)
  .describe('The response that confirms receipt to the service. Only a request that was queued gets it.');

const probe = z
  .strictObject({
    method: z.enum(['GET', 'HEAD', 'POST']).describe('The HTTP method of the probe.'),
    status: z.int().min(200).max(299).default(200).describe('The status that the service expects.'),
    contentType,
    body: z
      .string()
      .max(1024)
      .exactOptional()
      .describe('The exact text that the service expects. Without it the answer has no body.'),
  })
  .superRefine(checkAnswer)
  .describe(
    'The request without values with which the service tests a URL when it is saved. It is answered without a signature, and not queued.',
  );

const method = z.enum(['POST', 'GET']);

const also = z
  .strictObject({
    method: method.describe('The HTTP method of these requests: the other one than "webhook.method".'),
    bodyFormat,
    charset,
    signature: signature
      .exactOptional()
      .describe(
        'How these requests are signed, with the fields of "webhook.signature". Left out if they are signed in the same way. Both ways use the same secret.',
      ),
  })
  .describe(
    'A second form of requests, for a service that calls with two HTTP methods, such as GET for reports and POST for replies.',
  );

const isSigned = z.enum(['signed', 'unsigned']);

const reads = z
  .strictObject({
    query: isSigned
      .exactOptional()
      .describe(
        'Events get the query of a POST as "requestQuery", an object like a form. "signed" if the signature covers the query.',
      ),
    path: isSigned
      .exactOptional()
      .describe(
        'Events get the segments of the path behind that of the webhook as the list "requestPath". "signed" if the signature covers the URL.',
      ),
  })
  .refine(({ query, path }) => query !== undefined || path !== undefined, 'expected "query" or "path"')
  .describe('What is read beside the body, for a service that puts values into the URL.');

export const webhook = z
  .strictObject({
    signature,
    method: method
      .exactOptional()
      .describe(
        'The HTTP method with which the service calls. It is POST by default. The query of a GET is read as a form.',
      ),
    acknowledge,
    probe: probe.exactOptional(),
    retries: retries.exactOptional(),
    charset,
    bodyFormat,
    also: also.exactOptional(),
    reads: reads.exactOptional(),
  })
  .describe("The webhook's requests: their signature, their acknowledgement and their format.");

export type WebhookContract = z.output<typeof webhook>;

/** An answer that the contract chooses. */
export type AnswerContract = Pick<WebhookContract['acknowledge'], 'status' | 'contentType' | 'body'>;
