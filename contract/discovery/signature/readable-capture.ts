import type { Capture } from '../captured/capture.ts';

const names = new Set([
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
const families = /^(?:accept|sec-|cf-|x-forwarded|x-amzn?-|x-b3-|x-datadog-|x-envoy-|x-original-)/;

/** Whether a header, in lower case, belongs to the transport: of the client, proxies and tracing, never signed by webhook senders. */
function isPlainHeader(name: string): boolean {
  return names.has(name) || families.test(name);
}

/** A capture with what a search reads again and again. */
export interface ReadableCapture {
  readonly capture: Capture;
  /** By name in lower case, without those of the transport, empty ones, and credentials that were masked. */
  readonly headers: ReadonlyMap<string, string>;
  /** Credentials that were masked, by the header's name in lower case. */
  readonly masked: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch; undefined where nobody kept it. */
  readonly receivedAt: number | undefined;
}

const masked = /^masked:[^:]+:[0-9a-f]{64}$/;

export function readableCapture(capture: Capture): ReadableCapture {
  const told = Object.entries(capture.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => value !== '' && !isPlainHeader(name));
  return {
    capture,
    headers: new Map(told.filter(([, value]) => !masked.test(value))),
    masked: new Map(told.filter(([, value]) => masked.test(value))),
    receivedAt: capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt),
  };
}
