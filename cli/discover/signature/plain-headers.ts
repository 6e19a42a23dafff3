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
export function isPlainHeader(name: string): boolean {
  return names.has(name) || families.test(name);
}
