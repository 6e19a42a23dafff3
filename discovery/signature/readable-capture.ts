import { leavesOf } from '../../contract/events/places.ts';
import type { RequestFormat } from '../../contract/schema/request-form.ts';
import type { WebhookMethod } from '../../contract/schema/signed-template.ts';
import { parametersOf, queryOf } from '../../contract/signature/request-reader.ts';
import { maskedValue } from '../../contract/signature/webhook-request.ts';
import { bodyFormatOf, bodyKindOf } from '../captured/body-kind.ts';
import type { Capture } from '../captured/capture.ts';

const transportHeaders = new Set([
  'authority',
  'baggage',
  'cache-control',
  'cdn-loop',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'dnt',
  'expect',
  'forwarded',
  'from',
  'host',
  'keep-alive',
  'max-forwards',
  'origin',
  'pragma',
  'priority',
  'proxy-connection',
  'referer',
  'sentry-trace',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'true-client-ip',
  'upgrade',
  'user-agent',
  'via',
  'x-cloud-trace-context',
  'x-real-ip',
]);
const transportFamilies = /^(?:accept|sec-|cf-|x-forwarded|x-amzn?-|x-b3-|x-datadog-|x-envoy-|x-original-)/;

/** Reports whether a header, in lower case, comes from the client, a proxy or tracing. Webhook senders never sign those. */
function isTransportHeader(name: string): boolean {
  return transportHeaders.has(name) || transportFamilies.test(name);
}

/** The place of a value, as a contract names it. */
export type ValuePlace = { readonly header: string } | { readonly query: string } | { readonly body: string };

/** A capture, with its headers prepared for the search. */
export interface ReadableCapture {
  readonly capture: Capture;
  readonly method: WebhookMethod;
  readonly bodyFormat: RequestFormat['bodyFormat'];
  /** The headers by name in lower case, without those of the transport, empty ones and masked credentials. */
  readonly headers: ReadonlyMap<string, string>;
  /** The masked credentials, by the header's name in lower case. */
  readonly masked: ReadonlyMap<string, string>;
  /** The parameters of the query and the fields of the body. */
  readonly fields: readonly (readonly [ValuePlace, string])[];
  /** Milliseconds since the epoch; undefined if it is unknown. */
  readonly receivedAt: number | undefined;
}

export function readableCapture(capture: Capture): ReadableCapture {
  const candidates = Object.entries(capture.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => value !== '' && !isTransportHeader(name));
  return {
    capture,
    method: methodOf(capture),
    bodyFormat: formatOf([capture]),
    headers: new Map(candidates.filter(([, value]) => !maskedValue.test(value))),
    masked: new Map(candidates.filter(([, value]) => maskedValue.test(value))),
    fields: fieldsOf(capture),
    receivedAt: capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt),
  };
}

export function methodOf({ method }: Capture): WebhookMethod {
  return method.toUpperCase() === 'GET' ? 'GET' : 'POST';
}

/** Decides in which format bodies are read. */
export function formatOf(captures: readonly Capture[]): RequestFormat['bodyFormat'] {
  return bodyFormatOf(
    captures.map((capture) =>
      bodyKindOf(capture, { bytes: capture.body, method: methodOf(capture), query: queryOf(capture.url) }),
    ),
  );
}

/** Puts the query of a GET into the place of its body, as ingest does. */
export function withQueryAsBody(capture: Capture): Capture {
  return methodOf(capture) === 'GET' ? { ...capture, body: Buffer.from(queryOf(capture.url)) } : capture;
}

/** More fields hold no signature. */
const maxFields = 200;

function fieldsOf(capture: Capture): ReadableCapture['fields'] {
  const query = parametersOf(queryOf(capture.url)).map(
    ({ name, value }) => [{ query: name }, value] as const,
  );
  const body = methodOf(capture) === 'GET' ? [] : bodyFields(Buffer.from(capture.body).toString());
  return [...query, ...body].filter(([, value]) => value !== '').slice(0, maxFields);
}

function bodyFields(text: string): (readonly [ValuePlace, string])[] {
  if (/^[^\s={}[\]<>"]+=/.test(text))
    return parametersOf(text).map(({ name, value }) => [{ body: name }, value] as const);
  try {
    const leaves = leavesOf(JSON.parse(text)).take(maxFields);
    return [...leaves].flatMap(({ place, value }) => {
      const isPlain = typeof value === 'string' || typeof value === 'number';
      return isPlain && place.length <= 3 && place.every((step) => typeof step === 'string')
        ? [[{ body: place.join('.') }, String(value)] as const]
        : [];
    });
  } catch {
    return [];
  }
}

/** The name of a place for people. */
export function nameOfPlace(place: {
  readonly header?: string | undefined;
  readonly query?: string | undefined;
  readonly body?: string | undefined;
}): string {
  if (place.header !== undefined) return place.header;
  return place.query === undefined ? `"${place.body}" in the body` : `"${place.query}" in the URL`;
}
