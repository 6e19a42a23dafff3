import { expect, it } from 'vitest';
import { logBytesPerEvent } from '../../../tools/bench/cost/log-bytes.ts';
import { templateFacts } from '../../../tools/bench/cost/template-facts.ts';
import {
  assemblyFor,
  changedSettings,
  everyFunction,
  everyTemplate,
  resourcesOf,
} from '../support/built-app.ts';

const none = { bytes: 0, lines: 0 };
/** One line an invocation, at most so long: test/local/pipeline/logs.ts. */
const metrics = { bytes: 570, lines: 1 };
const own = { ingest: none, worker: metrics, publisher: metrics };
const maxBytes = 300;

const bytesWith = (context: Record<string, unknown>, batch: number) => {
  const facts = templateFacts(assemblyFor(context).assembly.directory);
  return logBytesPerEvent(facts, own, { worker: batch, publisher: batch });
};

it('an accepted event costs at most 300 bytes of all logs in batches of ten or more', () => {
  expect(bytesWith({}, 10)).toBeLessThanOrEqual(maxBytes);
  expect(bytesWith({}, 100)).toBeLessThanOrEqual(maxBytes - 100);
});

it('a single event in its batches costs at most 1,371 bytes of logs', () => {
  expect(bytesWith({}, 1)).toBe(1371);
});

it('an event costs 179 bytes of logs less without the access log', () => {
  expect(bytesWith({}, 10) - bytesWith({ 'sms:accessLog': 'off' }, 10)).toBeCloseTo(179);
});

const functionsWith = (context: Record<string, unknown>) =>
  everyTemplate(context).flatMap((template) =>
    Object.values(resourcesOf(template, 'AWS::Lambda::Function')).filter(
      // The CDK's function that uploads the console's page has a runtime and a log of its own.
      ({ Properties }) => String(Properties.Runtime).startsWith('nodejs'),
    ),
  );

it.each([
  ['the defaults', everyFunction, 'WARN', 14],
  // With the console's function.
  ['sms:invocationLogs', changedSettings, 'INFO', 15],
] as const)('with %s Lambda itself logs of every function', (_, context, SystemLogLevel, count) => {
  const functions = functionsWith(context);
  expect(functions).toHaveLength(count);
  for (const { Properties } of functions)
    expect(Properties.LoggingConfig).toMatchObject({
      LogFormat: 'JSON',
      SystemLogLevel,
      // Metrics are lines without a level, which count as INFO.
      ApplicationLogLevel: 'INFO',
    });
});
