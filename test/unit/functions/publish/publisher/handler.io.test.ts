import { expect, it, onTestFinished, vi } from 'vitest';
import { lambdaContext } from '../../../../../tools/support/lambda-events.ts';
import { answer, startScriptedServer } from '../../base/sms-service/scripted-server.ts';
import { messageRecord, streamRecord } from './stream-records.ts';

it('the publisher publishes through the exported handler, and sets aside unreadable records', async () => {
  const aws = await startScriptedServer(
    {
      'POST /': [
        (request) => {
          const isBus = String(request.headers['x-amz-target']).endsWith('.PutEvents');
          return answer(
            isBus ? 200 : 400,
            isBus ? { Entries: [{ EventId: '1' }] } : { __type: 'AccessDenied' },
          )(request);
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
    AWS_ENDPOINT_URL_EVENTBRIDGE: aws.url,
    EVENT_BUS_NAME: 'the-bus',
    PIPELINE_NAME: 'Sms',
    FAILURES_QUEUE_URL: `${aws.url}/000000000000/failures`,
    EVERY_EVENT: 'on',
    POWERTOOLS_SERVICE_NAME: 'publisher',
    POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { handler } = await import('../../../../../functions/publish/publisher/handler.ts');
  // Too little time is left to try again.
  const context = { ...lambdaContext, getRemainingTimeInMillis: () => 7010 };
  const good = { Records: [messageRecord(1, 'a', 1)] };
  expect(await handler(good, lambdaContext)).toEqual({ batchItemFailures: [] });
  const bad = { Records: [streamRecord(2, 'message#x')] };
  expect(await handler(bad, context)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  const targets = aws.requests.map(({ headers }) => String(headers['x-amz-target']));
  expect(targets).toContain('AWSEvents.PutEvents');
  expect(targets).toContain('AmazonSQS.SendMessage');
});
