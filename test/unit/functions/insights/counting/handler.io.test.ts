import { expect, it, onTestFinished, vi } from 'vitest';
import { lambdaContext } from '../../../../../tools/support/lambda-events.ts';
import { answer, startScriptedServer } from '../../base/sms-service/scripted-server.ts';
import { messageRecord } from '../../publish/publisher/stream-records.ts';

it('insights counts a batch through the exported handler, and needs the shard of a tumbling window', async () => {
  const aws = await startScriptedServer(
    {
      'POST /': [
        (request) => {
          const isRead = String(request.headers['x-amz-target']).endsWith('.BatchGetItem');
          return answer(200, isRead ? { Responses: {}, UnprocessedKeys: {} } : {})(request);
        },
      ],
    },
    () => undefined,
  );
  onTestFinished(() => aws.close());
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL_DYNAMODB: aws.url,
    INSIGHTS_TABLE: 'insights',
    HISTORY_TABLE_NAME: 'history',
    RETENTION_DAYS: '400',
    HOUR_RETENTION_DAYS: '70',
    POWERTOOLS_SERVICE_NAME: 'insights',
    POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { handler } = await import('../../../../../functions/insights/counting/handler.ts');
  const Records = [messageRecord(1, 'a', 1)];
  expect(await handler({ Records, shardId: 'shard' }, lambdaContext)).toEqual({
    state: {},
    batchItemFailures: [],
  });
  const targets = aws.requests.map(({ headers }) => String(headers['x-amz-target']));
  expect(targets.at(-1)).toContain('.TransactWriteItems');
  await expect(handler({ Records }, lambdaContext)).rejects.toThrow('names no shard');
  expect(await handler({ shardId: 'shard' }, lambdaContext)).toEqual({ state: {}, batchItemFailures: [] });
});
