import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logCatalogue } from '../../../../functions/base/log-catalogue.ts';

const root = join(import.meta.dirname, '../../../..');

/** Lambda's runtime, where logs are JSON, makes the text of a line in another one of whatever goes through its console. */
const asLambdaLogsJson = `
  for (const method of ['debug', 'info', 'log', 'warn', 'error'])
    console[method] = (line) => process.stdout.write(JSON.stringify({ level: method, message: line }) + '\\n');
  const { default: middy } = await import('@middy/core');
  const { count, createLog, observability } = await import('./functions/base/handler-settings.ts');
  const { logCatalogue } = await import('./functions/base/log-catalogue.ts');
  const log = createLog(logCatalogue);
  const handler = middy().use(observability()).handler(async (event) => {
    if (event.isEmpty) return;
    log('STATUS_UNMAPPED', { events: 2 });
    log('STORE_FAILED', { error: 'ThrottlingException' });
    log('BATCH_STORED', { writes: 1 });
    count('stored', 2);
    count('unmappedStatus', 2);
    throw new Error('failed');
  });
  const context = { awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef' };
  await handler({ isEmpty: true }, context);
  await handler({}, context).catch(() => undefined);
`;

it('an invocation that fails writes its lines unchanged if Lambda logs JSON: message, request and one line of metrics, and none if it counted nothing', () => {
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
      service: 'worker',
      EventsStored: 2,
      UnmappedStatus: 2,
    },
  ]);
  expect(lines(stderr)).toEqual([
    expect.objectContaining({
      ...request,
      level: 'WARN',
      code: unmapped.code,
      message: unmapped.message,
      events: 2,
    }),
    expect.objectContaining({
      ...request,
      level: 'ERROR',
      code: failed.code,
      message: failed.message,
      error: 'ThrottlingException',
    }),
  ]);
});
