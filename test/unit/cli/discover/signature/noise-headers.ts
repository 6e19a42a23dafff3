import { bytes, type Draw, word } from './draw.ts';

/** What requests carry besides: the transport's headers, and ids and words of the service that nobody signs. */
export function noiseHeaders(draw: Draw): (draw: Draw) => Readonly<Record<string, string>> {
  const hasRequestId = draw([true, true, false]);
  const hasCorrelationId = draw([true, false]);
  const account = draw([undefined, word(draw, 12)]);
  return (each) => ({
    host: 'hooks.example.test',
    'content-length': '412',
    'content-type': 'application/json; charset=utf-8',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate',
    'user-agent': 'Sender/2.1 (+https://example.test/bot)',
    'x-forwarded-for': '198.51.100.7, 203.0.113.9',
    'x-amzn-trace-id': `Root=1-6967d0c0-${bytes(each, 12).toString('hex')}`,
    traceparent: `00-${bytes(each, 16).toString('hex')}-${bytes(each, 8).toString('hex')}-01`,
    'X-Attempt': '1',
    ...(hasRequestId ? { 'X-Request-Id': bytes(each, 16).toString('hex') } : {}),
    ...(hasCorrelationId ? { 'x-correlation-digest': bytes(each, 20).toString('hex') } : {}),
    ...(account === undefined ? {} : { 'X-Account': account }),
  });
}
