import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { ACCOUNT } from '../../aws-protocol/call.ts';
import { clockHeader } from '../../aws-protocol/local-clock.ts';
import { decode } from './routes.ts';

/** API Gateway passes these media types on as text, and every other as base64. */
const TEXT_TYPE = /^(text\/.*|application\/(json|xml|javascript)|application\/.+\+(json|xml))$/;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface RequestFacts {
  readonly apiId: string;
  readonly routeKey: string;
  /** The path of {@link decodedPath}. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Who sent it, as the authorizer found; undefined for a route without authorization. */
  readonly authorizer: object | undefined;
  /** The arrival time of the request, ms since the epoch. */
  readonly now: number;
}

/** Makes the event that API Gateway would make of a request to an HTTP API: payload format 2.0. */
export function proxyEvent(request: IncomingMessage, facts: RequestFacts): APIGatewayProxyEventV2 {
  const { apiId, routeKey, path, pathParameters, body, authorizer, now } = facts;
  const [, rawQueryString = ''] = splitOnce(request.url ?? '/', '?');
  const { headers, cookies } = combineHeaders(request.rawHeaders);
  const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
  const host = headers.host ?? '127.0.0.1';
  const query = queryParameters(rawQueryString);
  const base64 = !isText(headers);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      'content-length': String(body.length),
      'x-amzn-trace-id': `Root=1-${Math.floor(now / 1000).toString(16)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      'x-forwarded-for': headers['x-forwarded-for'] ? `${headers['x-forwarded-for']}, ${sourceIp}` : sourceIp,
      'x-forwarded-port': String(request.socket.localPort ?? ''),
      'x-forwarded-proto': 'http',
    },
    ...(query && { queryStringParameters: query }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId,
      ...(authorizer && { authorizer }),
      domainName: host.replace(/:\d+$/, ''),
      domainPrefix: apiId,
      http: {
        method: request.method ?? 'GET',
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: requestTime(new Date(now)),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(base64 ? 'base64' : 'utf8') }),
    isBase64Encoded: body.length > 0 && base64,
  };
}

/** Makes the names lower case, joins the values of repeated headers by commas, and separates the cookies. */
function combineHeaders(rawHeaders: readonly string[]): {
  headers: Record<string, string>;
  cookies: string[];
} {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/; */));
    else if (name !== 'connection' && name !== 'transfer-encoding' && name !== clockHeader) {
      headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
    }
  }
  return { headers, cookies };
}

function isText(headers: Readonly<Record<string, string>>): boolean {
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') return false;
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  return TEXT_TYPE.test(mediaType.trim().toLowerCase());
}

function queryParameters(rawQueryString: string): Record<string, string> | undefined {
  if (rawQueryString === '') return undefined;
  const parameters: Record<string, string> = {};
  for (const pair of rawQueryString.split('&')) {
    const [name = '', value = ''] = splitOnce(pair, '=').map((part) => decode(part.replaceAll('+', ' ')));
    parameters[name] = parameters[name] === undefined ? value : `${parameters[name]},${value}`;
  }
  return parameters;
}

/** The format of an access log: `21/Nov/2025:03:46:00 +0000`. */
function requestTime(date: Date): string {
  const [, time = ''] = date.toISOString().split(/[T.]/);
  const day = String(date.getUTCDate()).padStart(2, '0');
  return `${day}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}:${time} +0000`;
}

function splitOnce(text: string, separator: string): string[] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + separator.length)];
}

/** An HTTP answer ready to be written. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

const structured = z.looseObject({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/**
 * Makes the HTTP answer of a function's result, payload format 2.0. A result without a `statusCode` is the body of a 200. An invalid result is
 * a 500.
 */
export function answerOf(result: unknown): HttpAnswer {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : JSON.stringify(result ?? null);
    return answer(200, body, { 'content-type': 'application/json' });
  }
  const parsed = structured.safeParse(result);
  if (!parsed.success) return messageAnswer(500, 'Internal Server Error');
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const ownHeaders = Object.entries(headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const hasContent = !bodyless.has(statusCode);
  const text = hasContent ? (body ?? '') : '';
  return answer(statusCode, Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8'), {
    ...(hasContent && { 'content-type': 'text/plain;charset=utf-8' }),
    ...Object.fromEntries(ownHeaders),
    ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
  });
}

/** The statuses whose answers have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const bodyless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Makes an answer of API Gateway itself, for example `{"message":"Not Found"}`. */
export function messageAnswer(status: number, message: string): HttpAnswer {
  return answer(status, JSON.stringify({ message }), { 'content-type': 'application/json' });
}

function answer(
  status: number,
  body: string | Buffer,
  headers: Record<string, string | string[]>,
): HttpAnswer {
  return { status, headers, body: Buffer.from(body) };
}
