import * as z from 'zod';
import { createDocument, type ZodOpenApiResponseObject } from 'zod-openapi';
import { csvRow } from '../../contract/text/csv.ts';
import {
  consoleRoutes,
  messageColumns,
  methodsOf,
  type Route,
  type RouteName,
  routeNames,
  routes,
} from '../../functions/query/index.ts';
import {
  conversationSchema,
  insightsSchema,
  messageSchema,
  optOutSchema,
  type Problem,
  pageSchema,
  problem,
  problemSchema,
  quarantinedSchema,
  quarantineEntrySchema,
  replySchema,
  searchSchema,
  sendFiguresSchema,
  sendSchema,
  timelineEntrySchema,
} from '../../functions/query/shapes.ts';
import examples from './openapi-examples.json' with { type: 'json' };

// The numbers of the examples are fictitious.
const { message, failed, reply, optOut, optOutState, quarantined, quarantineEntry, send, insights } =
  examples;

const page = (...entries: readonly object[]) => ({ entries, next: null });

const csvExample = `${csvRow(messageColumns)}${csvRow([
  failed.messageId,
  failed.phone,
  failed.sendId,
  failed.status,
  failed.final,
  failed.statusAt,
  failed.firstSeenAt,
  null,
  '1',
  'absent subscriber',
  failed.conflict,
  'unreachable',
])}`;

const exampleAnswers: Readonly<Record<RouteName, object | string>> = {
  getMessage: message,
  listMessages: page(failed),
  getTimeline: page({ kind: 'reply', ...reply }, { kind: 'message', ...message }),
  search: {
    number: message.phone,
    results: [{ kind: 'number', of: 'm~msg-1', number: message.phone, optOut: optOutState }],
  },
  getConversation: {
    number: message.phone,
    optOut: optOutState,
    ...page({ kind: 'reply', ...reply }, { kind: 'message', ...message }),
  },
  listSend: page(failed, message),
  listSendCsv: csvExample,
  listSends: page(send),
  getSend: {
    ...send,
    histogram: [
      { upTo: 5000, messages: 2 },
      { upTo: null, messages: 0 },
    ],
  },
  getInsights: insights,
  listReplies: page(reply),
  listOptOuts: page(optOut),
  listQuarantine: page(quarantined),
  getQuarantineEntry: quarantineEntry,
};

/** The example problems, by the name of the response. */
const exampleProblems: Readonly<Record<string, Problem>> = {
  BadRequest: problem('invalid-parameters', '2 parameters are wrong: see errors.', [
    { parameter: 'state', detail: 'expected failed or pending' },
    { parameter: 'limit', detail: 'expected a whole number from 1 to 100' },
  ]),
  Forbidden: problem('not-permitted', 'None of your groups allows it: ask who runs this pipeline.'),
  NotFound: problem('unknown-message', 'No report about it has been stored, or its retention has ended.'),
  MethodNotAllowed: problem('method-not-allowed', 'Use GET, HEAD.'),
  InternalError: problem('internal', 'The cause is in the log of the function.'),
  Unavailable: problem('unavailable', 'Ask again in a moment.'),
};

// The document of the query API. No function imports this file, because it would bundle zod-openapi.

const answers: Readonly<Record<RouteName, z.ZodType>> = {
  getMessage: messageSchema,
  listMessages: pageSchema(messageSchema).meta({ id: 'MessagePage' }),
  getTimeline: pageSchema(timelineEntrySchema).meta({ id: 'TimelinePage' }),
  search: searchSchema,
  getConversation: conversationSchema,
  listSend: pageSchema(messageSchema).meta({ id: 'SendPage' }),
  listSendCsv: z.string().meta({ description: 'A row of names, and a row for each message.' }),
  listSends: pageSchema(sendFiguresSchema).meta({ id: 'SendListPage' }),
  getSend: sendSchema,
  getInsights: insightsSchema,
  listReplies: pageSchema(replySchema).meta({ id: 'ReplyPage' }),
  listOptOuts: pageSchema(optOutSchema).meta({ id: 'OptOutPage' }),
  listQuarantine: pageSchema(quarantinedSchema).meta({ id: 'QuarantinePage' }),
  getQuarantineEntry: quarantineEntrySchema,
};

const entityTag = z.string().meta({
  description: 'Send it as If-None-Match to get 304 while the response is still the same.',
  examples: ['"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"'],
});

const csvHeaders = z.object({
  etag: entityTag,
  link: z
    .string()
    .optional()
    .meta({
      description: 'The page after this one, relative to the URL of the request; absent on the last page.',
      examples: ['<?status=undelivered%2Cfailed&cursor=c1>; rel="next"'],
    }),
});

const problemResponse = (
  id: string,
  description: string,
  headers?: z.ZodObject,
): ZodOpenApiResponseObject => ({
  id,
  description,
  ...(headers === undefined ? {} : { headers }),
  content: {
    'application/problem+json': { schema: problemSchema, example: exampleProblems[id] },
  },
});

const gatewayContent = (message: string) => ({
  'application/json': { schema: z.object({ message: z.string() }), example: { message } },
});

const gatewayResponse = (id: string, description: string, message: string): ZodOpenApiResponseObject => ({
  id,
  description,
  content: gatewayContent(message),
});

/** Adds the response of API Gateway, for requests that do not reach the function. */
const alsoFromGateway = (response: ZodOpenApiResponseObject, message: string): ZodOpenApiResponseObject => ({
  ...response,
  content: { ...response.content, ...gatewayContent(message) },
});

const unknown = problemResponse('NotFound', 'There is no item with this id.');

const shared = {
  304: {
    id: 'NotModified',
    description: 'The response is still the one with the given tag.',
    headers: z.object({ etag: entityTag }),
  },
  400: problemResponse('BadRequest', 'The path or parameters are wrong; `errors` names each of them.'),
  403: alsoFromGateway(
    problemResponse('Forbidden', 'The request is not signed, or its signer or user has no permission.'),
    'Forbidden',
  ),
  405: problemResponse(
    'MethodNotAllowed',
    'The header Allow lists the methods that are answered.',
    z.object({ allow: z.string().meta({ examples: ['GET, HEAD'] }) }),
  ),
  429: gatewayResponse(
    'TooManyRequests',
    'More questions than the API takes. API Gateway answers this itself.',
    'Too Many Requests',
  ),
  500: alsoFromGateway(
    problemResponse('InternalError', 'The question could not be answered.'),
    'Internal Server Error',
  ),
  503: alsoFromGateway(
    problemResponse(
      'Unavailable',
      'The database does not answer in time.',
      z.object({
        'retry-after': z.string().meta({ description: 'Seconds to wait.', examples: ['2'] }),
      }),
    ),
    'Service Unavailable',
  ),
} satisfies Record<string, ZodOpenApiResponseObject>;

const ifNoneMatch = z.object({
  'if-none-match': z
    .string()
    .optional()
    .meta({ description: 'The tags of responses that the client has, separated by commas, or `*`.' }),
});

function operation(name: RouteName) {
  const { path, summary, parameters, query, body, isCsv }: Route = routes[name];
  const isPage = 'limit' in query.shape;
  const hasUnknown = name === 'getConversation' || (!isPage && body === undefined);
  const { 304: notModified, ...always } = shared;
  return {
    operationId: name,
    summary,
    tags: [path.split('/')[2] ?? ''],
    requestParams: {
      ...(Object.keys(parameters.shape).length === 0 ? {} : { path: parameters }),
      ...(Object.keys(query.shape).length === 0 ? {} : { query }),
      ...(body === undefined ? { header: ifNoneMatch } : {}),
    },
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: isPage ? 'A page of the list.' : 'Found.',
        ...(body === undefined
          ? { headers: isCsv === true ? csvHeaders : z.object({ etag: entityTag }) }
          : {}),
        content: {
          [isCsv === true ? 'text/csv' : 'application/json']: {
            schema: answers[name],
            example: exampleAnswers[name],
          },
        },
      },
      ...always,
      ...(body === undefined ? { 304: notModified } : {}),
      ...(hasUnknown ? { 404: unknown } : {}),
    },
  };
}

const consoleNote = ' Only the server of a console answers it (`sms console`).';

/** Describes the requests that only the server of a console answers. */
function consolePaths() {
  const { getHealth, replayQuarantineEntry } = consoleRoutes;
  const { 304: notModified, 405: _, 429: __, ...failures } = shared;
  const content = (schema: z.ZodType, example: object) => ({ 'application/json': { schema, example } });
  return {
    [getHealth.path]: {
      get: {
        operationId: 'getHealth',
        summary: `${getHealth.summary}.${consoleNote}`,
        tags: ['console'],
        requestParams: { header: ifNoneMatch },
        responses: {
          200: {
            description: 'Found.',
            headers: z.object({ etag: entityTag }),
            content: content(getHealth.answer, examples.health),
          },
          304: notModified,
          ...failures,
        },
      },
    },
    [replayQuarantineEntry.path]: {
      post: {
        operationId: 'replayQuarantineEntry',
        summary: `${replayQuarantineEntry.summary}.${consoleNote}`,
        tags: ['console'],
        requestParams: { path: replayQuarantineEntry.parameters },
        requestBody: { content: { 'application/json': { schema: replayQuarantineEntry.body } } },
        responses: {
          200: {
            description: 'Whether it was sent.',
            content: content(replayQuarantineEntry.answer, { outcome: 'sent', why: null }),
          },
          404: unknown,
          ...failures,
        },
      },
    },
  };
}

/** Makes the OpenAPI 3.1 document of the query API from the schemas and routes that the function itself uses. */
export function openApiDocument() {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'SMS delivery history',
        version: '1.0.0',
        description:
          'What became of each message, who answered, who wants no more, and what could not be read. Requests are signed with AWS Signature Version 4. See docs/reference/http-api.md.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [
        {
          url: 'https://{api}.execute-api.{region}.amazonaws.com',
          description: "The stack's output QueryUrl without its /v1.",
          variables: { api: { default: 'abcdef1234' }, region: { default: 'us-east-1' } },
        },
        { url: 'http://127.0.0.1:4000', description: 'The pipeline on this machine (`npm start`).' },
      ],
      security: [{ sigv4: [] }],
      paths: {
        ...Object.fromEntries(
          routeNames.map((name) => [
            routes[name].path,
            methodsOf(name).includes('POST') ? { post: operation(name) } : { get: operation(name) },
          ]),
        ),
        ...consolePaths(),
      },
      components: {
        securitySchemes: {
          sigv4: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'AWS Signature Version 4 for the service execute-api.',
            'x-amazon-apigateway-authtype': 'awsSigv4',
          },
        },
      },
    },
    // Responses may get more fields later, so clients must accept unknown ones.
    {
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
    },
  );
}
