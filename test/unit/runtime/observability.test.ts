import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** A function that counts what it is invoked with, and fails where that is more than one thing. */
const script = `
  import middy from '@middy/core';
  import { count, observability } from './functions/runtime/observability.ts';
  const handler = middy().use(observability()).handler(async (counted) => {
    for (const [metric, value] of counted) count(metric, value);
    if (counted.length > 1) throw new Error('failed');
  });
  for (const counted of JSON.parse(process.argv[1])) await handler(counted, { awsRequestId: 'id' }).catch(() => undefined);
`;

/** What a process of its own, as on Lambda, writes for these invocations: nothing but whole lines of JSON. */
function written(invocations: readonly (readonly (readonly [string, number])[])[], namespace?: string) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify(invocations)],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        POWERTOOLS_SERVICE_NAME: 'worker',
        ...(namespace && { POWERTOOLS_METRICS_NAMESPACE: namespace }),
      },
    },
  );
  expect([stderr, status]).toEqual(['', 0]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

it('writes one line of metrics an invocation, of one that failed too, and none where nothing was counted', () => {
  const started = Date.now();
  const lines = written(
    [
      [['stored', 2]],
      [],
      [
        ['failingFor', 5],
        ['failingFor', 3],
      ],
    ],
    'SmsPipeline',
  );
  expect(lines).toEqual([
    expect.objectContaining({ service: 'worker', EventsStored: 2 }),
    expect.objectContaining({ service: 'worker', FailingFor: 5 }),
  ]);
  for (const { _aws } of lines) {
    expect(_aws.CloudWatchMetrics[0].Namespace).toBe('SmsPipeline');
    expect(_aws.Timestamp).toBeGreaterThanOrEqual(started);
  }
  expect(lines[1]).not.toHaveProperty('EventsStored');
});

it('writes no metrics where no namespace is given', () => {
  expect(written([[['stored', 2]]])).toEqual([]);
});
