import * as z from 'zod';
import { baseUrl } from './plain-url.ts';
import { headerName } from './signature-schema.ts';
import { canonicalStatuses } from './sms-event.ts';
import { expression, statusFields, text, timeFormat, timeZone } from './status-fields-schema.ts';

/** The part of `contract.json` that says how the service is asked for messages: `lookups`. */

/** How the limits of a time span are written. */
const spanFormats = [
  'iso8601',
  'iso8601-offset',
  'date-time',
  'date',
  'unix-seconds',
  'unix-milliseconds',
] as const;

const authentication = z
  .discriminatedUnion('kind', [
    z
      .strictObject({ kind: z.literal('token') })
      .describe('Requests carry the Bearer token of "service.token".'),
    z
      .strictObject({ kind: z.literal('basic') })
      .describe('Requests use HTTP Basic. The secret with the API key holds "user:password".'),
    z
      .strictObject({
        kind: z.literal('header'),
        name: headerName,
        prefix: z.string().default('').describe('The text before the key, such as "Bearer ".'),
      })
      .describe('Requests carry the API key in a header.'),
    z
      .strictObject({ kind: z.literal('query'), name: text.describe('The name of the parameter.') })
      .describe('Requests carry the API key in a parameter of the query.'),
  ])
  .describe('How requests prove who sends them.');

const rawItems = expression
  .nullable()
  .default(null)
  .describe('JMESPath to all items of a page, if "events" filters them. An empty list is the last page.');

const parameter = text.describe('The name of the parameter that selects the page.');

const paging = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('page'),
        parameter,
        first: z.int().min(0).default(1).describe('The number of the first page.'),
        last: expression
          .nullable()
          .default(null)
          .describe('JMESPath to the number of the last page, or null.'),
        items: rawItems,
      })
      .describe('The next page has a number. Without "last", an empty page is the last one.'),
    z
      .strictObject({
        kind: z.literal('offset'),
        parameter,
        size: z
          .int()
          .min(1)
          .describe('The number of items on a full page. A page with fewer is the last one.'),
        items: rawItems,
      })
      .describe('The next page is requested by the number of items to skip.'),
    z
      .strictObject({ kind: z.literal('cursor'), parameter, next: expression })
      .describe('The next page is requested by a cursor that the answer has.'),
    z
      .strictObject({ kind: z.literal('next-url'), next: expression })
      .describe('The answer has the URL or the path of the next page.'),
    z
      .strictObject({ kind: z.literal('link') })
      .describe('The answer has the URL of the next page in a Link header with rel="next" (RFC 8288).'),
  ])
  .describe('How the next page is requested.');

const operation = {
  method: z
    .enum(['GET', 'POST'])
    .default('GET')
    .describe('The HTTP method. POST sends the parameters as a JSON object, GET as the query.'),
  path: z
    .string()
    .startsWith('/', 'expected a path that begins with /')
    .describe('The path below the base URL.'),
  query: z.record(text, z.string()).default({}).describe('The parameters of the request.'),
  events: expression.describe('JMESPath to the list of messages in the answer.'),
};

const pages = {
  paging: paging
    .nullable()
    .default(null)
    .describe('How the next page is requested. Without it, one page holds everything.'),
};

const sample = z.strictObject({
  name: text.describe('What the sample shows.'),
  source: z.url().optional().describe('The page that documents the sample.'),
  operation: z.enum(['message', 'send', 'list']).describe('The request that the sample answers.'),
  body: z.json().describe('The body of the answer.'),
  becomes: z
    .array(z.record(z.string(), z.union([z.string(), z.int()])))
    .describe('The expected reports, each with the fields to compare. [] if the page has none.'),
  next: z.string().optional().describe('The cursor, number or URL of the next page, if there is one.'),
});

/** Schema of `lookups` in `contract.json`. */
export const lookups = z
  .strictObject({
    baseUrl: baseUrl
      .nullable()
      .default(null)
      .describe('The URL of the API, without a path. null uses "service.baseUrl".'),
    authentication,
    requestsPerSecond: z
      .number()
      .positive()
      .max(100)
      .default(5)
      .describe('The pipeline sends no more requests than this in a second.'),
    askAfterMinutes: z
      .int()
      .min(1)
      .max(1440)
      .default(15)
      .describe(
        'A message without a final report is asked about after this time, and then at growing intervals.',
      ),
    message: z
      .strictObject(operation)
      .nullable()
      .default(null)
      .describe('The request for one message. {messageId} stands for its id.'),
    send: z
      .strictObject({ ...operation, ...pages })
      .nullable()
      .default(null)
      .describe('The request for the messages of one bulk send. {sendId} stands for its id.'),
    list: z
      .strictObject({
        ...operation,
        ...pages,
        spanFormat: z
          .enum(spanFormats)
          .default('iso8601')
          .describe('How {since} and {until} are written. With "date" whole days are asked for.'),
        afterMinutes: z
          .array(z.int().min(1).max(10_080))
          .min(1)
          .max(6)
          .default([30, 1440])
          .describe(
            'How long after their creation messages are listed, in minutes. A service that charges for each listed message is better listed once.',
          ),
        sendId: expression
          .nullable()
          .default(null)
          .describe(
            'JMESPath to the id of a send. If set, "events" lists bulk sends, and the messages of each are asked for by "send".',
          ),
      })
      .nullable()
      .default(null)
      .describe('The request for the messages of a time span. {since} and {until} stand for its ends.'),
    timeFormat: timeFormat
      .nullable()
      .default(null)
      .describe('The format of times in answers. null uses "events.timeFormat".'),
    timeZone: timeZone.describe('The zone of times in answers that have none. null uses "events.timeZone".'),
    report: statusFields.describe(
      'The fields of a message in an answer, as "events.status" has them. A time of null is that of the lookup.',
    ),
    statuses: z
      .record(text, z.enum(canonicalStatuses))
      .default({})
      .describe('Words that only lookups use. They are added to "statuses" of the contract.'),
    samples: z
      .array(sample)
      .describe('Documented answers, with the reports that they become. Synthesis compares them.'),
  })
  .superRefine(({ authentication, message, send, list }, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (message === null && send === null && list === null)
      problem(['message'], 'expected at least one of "message", "send" and "list"');
    const known = { message: ['messageId'], send: ['sendId'], list: ['since', 'until'] };
    for (const [name, one] of Object.entries({ message, send, list })) {
      if (one === null) continue;
      const allowed = [
        ...known[name as keyof typeof known],
        ...(authentication.kind === 'basic' ? ['user'] : []),
      ];
      const used = [one.path, ...Object.values(one.query)].flatMap((template) =>
        [...template.matchAll(/\{([^}]*)\}/g)].map(([, placeholder = '']) => placeholder),
      );
      for (const placeholder of used.filter((one) => !allowed.includes(one)))
        problem(
          [name, 'path'],
          `expected no placeholder except {${allowed.join('}, {')}}, and found {${placeholder}}`,
        );
      const lacking = known[name as keyof typeof known].find((one) => one !== 'until' && !used.includes(one));
      if (lacking !== undefined)
        problem([name, 'path'], `expected {${lacking}} in the path or in a parameter`);
    }
    if (list !== null && list.sendId !== null && send === null)
      problem(['list', 'sendId'], 'expected "send" beside it, which asks for the messages of a send');
  })
  .describe(
    'How the service is asked for messages, so that reports which the webhook never received are found.',
  );
