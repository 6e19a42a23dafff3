import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logCatalogue } from '../../../../functions/runtime/log-catalogue.ts';

const root = join(import.meta.dirname, '../../../..');

/** A function that counts what it is invoked with, and fails where that is more than one thing. */
const script = `
  import middy from '@middy/core';
  import { count, observability } from './functions/runtime/handler-settings.ts';
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

it('an invocation writes one line of metrics, even if it fails, and none if it counted nothing', () => {
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

/** Lambda's runtime, where logs are JSON, makes the text of a line in another one of whatever goes through its console. */
const asLambdaLogsJson = `
  for (const method of ['debug', 'info', 'log', 'warn', 'error'])
    console[method] = (line) => process.stdout.write(JSON.stringify({ level: method, message: line }) + '\\n');
  const { default: middy } = await import('@middy/core');
  const { count, createLog, observability } = await import('./functions/runtime/handler-settings.ts');
  const { logCatalogue } = await import('./functions/runtime/log-catalogue.ts');
  const log = createLog(logCatalogue);
  const handler = middy().use(observability()).handler(async () => {
    log('STATUS_UNMAPPED', { events: 2 });
    log('STORE_FAILED', { error: 'ThrottlingException' });
    log('BATCH_STORED', { writes: 1 });
    count('stored', 2);
    count('unmappedStatus', 2);
  });
  await handler({}, { awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef' });
`;

it('an invocation writes its lines unchanged if Lambda logs JSON: message, request and one line of metrics', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', asLambdaLogsJson], {
    cwd: root,
    encoding: 'utf8',
    env: {
      POWERTOOLS_SERVICE_NAME: 'worker',
      POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
    },
  });
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const request = {
    service: 'worker',
    function_request_id: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  const { STATUS_UNMAPPED: unmapped, STORE_FAILED: failed } = logCatalogue;
  // Debug lines are not for level INFO.
  expect(lines(stdout)).toEqual([
    {
      _aws: expect.objectContaining({ CloudWatchMetrics: [expect.anything()] }),
      ...{ service: 'worker', EventsStored: 2, UnmappedStatus: 2 },
    },
  ]);
  expect(lines(stderr)).toEqual([
    expect.objectContaining({
      ...request,
      ...{ level: 'WARN', code: unmapped.code, message: unmapped.message, events: 2 },
    }),
    expect.objectContaining({
      ...request,
      ...{ level: 'ERROR', code: failed.code, message: failed.message, error: 'ThrottlingException' },
    }),
  ]);
});

it('an invocation writes no metrics without a namespace', () => {
  expect(written([[['stored', 2]]])).toEqual([]);
});
