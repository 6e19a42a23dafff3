import { describe, expect, it } from 'vitest';
import { accessLogLine, logBytesPerEvent, platformLines } from '../../../../../tools/bench/cost/log-bytes.ts';

it('a line of the access log has values in the place of their names, and a dash where there is none', () => {
  const format = '{"a":"$context.status","b":"$context.error.responseType","c":"$context.identity.sourceIp"}';
  const line = '{"a":"200","b":"-","c":"203.0.113.123"}';
  expect(accessLogLine(format)).toEqual({ bytes: line.length, lines: 1 });
  expect(accessLogLine('')).toEqual({ bytes: 0, lines: 0 });
});

describe('log bytes of an event', () => {
  const none = { bytes: 0, lines: 0 };
  const quiet = { accessLogFormat: 'x'.repeat(100), systemLogLevel: 'WARN' };
  const own = { ingest: none, worker: { bytes: 400, lines: 1 }, publisher: { bytes: 300, lines: 1 } };

  it('share the lines of a batch among its events, with 26 bytes of overhead each', () => {
    expect(logBytesPerEvent(quiet, own, { worker: 1, publisher: 1 })).toBe(126 + 426 + 326);
    expect(logBytesPerEvent(quiet, own, { worker: 100, publisher: 10 })).toBeCloseTo(126 + 4.26 + 32.6);
  });

  it("count Lambda's own two lines of every invocation", () => {
    const loud = { ...quiet, systemLogLevel: 'INFO' };
    const report = platformLines(loud).bytes + 2 * 26;
    expect(logBytesPerEvent(loud, own, { worker: 100, publisher: 10 })).toBeCloseTo(
      126 + 4.26 + 32.6 + report * (1 + 0.01 + 0.1),
    );
  });
});
