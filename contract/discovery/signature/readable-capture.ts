import { maskedValue } from '../../signature/webhook-request.ts';
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

/** A capture, with its headers prepared for the search. */
export interface ReadableCapture {
  readonly capture: Capture;
  /** The headers by name in lower case, without those of the transport, empty ones and masked credentials. */
  readonly headers: ReadonlyMap<string, string>;
  /** The masked credentials, by the header's name in lower case. */
  readonly masked: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch; undefined where it is unknown. */
  readonly receivedAt: number | undefined;
}

export function readableCapture(capture: Capture): ReadableCapture {
  const candidates = Object.entries(capture.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => value !== '' && !isTransportHeader(name));
  return {
    capture,
    headers: new Map(candidates.filter(([, value]) => !maskedValue.test(value))),
    masked: new Map(candidates.filter(([, value]) => maskedValue.test(value))),
    receivedAt: capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt),
  };
}
