import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHistoryReader } from '../../functions/adapters/history-reader.ts';
import { decodeEnvelope, encodeEnvelope } from '../../functions/core/envelope.ts';
import { signRequest } from '../../functions/core/signature/sign.ts';
import { shippedContract } from '../support/contracts.ts';
import { httpApiEvent } from '../support/http-api-event.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { type LocalPipeline, startLocalPipeline } from '../support/local-pipeline.ts';

// The exported handlers, in this process, against the services of a local run.
let pipeline: LocalPipeline;

beforeAll(async () => {
  pipeline = await startLocalPipeline();
  const { outputs, port } = pipeline;
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port + 2}`,
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${port + 3}`,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port + 4}`,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
    POWERTOOLS_METRICS_NAMESPACE: 'Test',
    EVENTS_QUEUE_URL: outputs.DeadLetterQueueUrl,
    WEBHOOK_SECRET_ID: outputs.WebhookSecretId,
    WEBHOOK_URL: outputs.WebhookUrl,
    HISTORY_TABLE_NAME: outputs.HistoryTableName,
    QUARANTINE_TABLE_NAME: outputs.QuarantineTableName,
    RETENTION_DAYS: '400',
    QUARANTINE_RETENTION_DAYS: '90',
    WORKLIST_SHARDS: '16',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await pipeline.stop();
});

it('ingest queues what is signed with the stored secret', async () => {
  const { handler } = await import('../../functions/ingest/handler.ts');
  const body = '{"type":"sms.status"}';
  const request = { body: Buffer.from(body), id: 'evt-h', now: Date.now(), url: pipeline.webhookUrl };
  const headers = signRequest(shippedContract.webhook.signature, request, await pipeline.webhookSecret());
  expect(await handler(httpApiEvent({ body, headers }), lambdaContext)).toMatchObject({ statusCode: 200 });
  expect(await handler(httpApiEvent({ body: `${body} `, headers }), lambdaContext)).toMatchObject({
    statusCode: 401,
  });
  // Sent to the queue that no function reads.
  const { Messages = [] } = await pipeline.sqs.send(
    new ReceiveMessageCommand({ QueueUrl: pipeline.outputs.DeadLetterQueueUrl, WaitTimeSeconds: 5 }),
  );
  expect(Messages.map(({ Body = '' }) => decodeEnvelope(Body)?.signedId)).toEqual(['evt-h']);
});

it('worker stores a batch, and names the messages that must come again', async () => {
  const { handler } = await import('../../functions/worker/handler.ts');
  const event = {
    type: 'sms.status',
    data: { id: 'm-handler', status: 'sent', occurred_at: '2026-01-15T12:00:05Z' },
  };
  const receivedAt = '2026-01-15T12:00:06.000Z';
  const envelope = encodeEnvelope({
    requestId: 'req',
    receivedAt,
    signedId: 'evt',
    body: Buffer.from(JSON.stringify(event)),
  });
  const record: SQSRecord = {
    messageId: 'queue-message-1',
    receiptHandle: 'handle',
    body: envelope,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1768478406000',
      SenderId: 'test',
      ApproximateFirstReceiveTimestamp: '1768478406000',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:events',
    awsRegion: 'us-east-1',
  };
  expect(await handler({ Records: [record] }, lambdaContext)).toEqual({ batchItemFailures: [] });
  const stored = await createHistoryReader(
    pipeline.dynamoDb,
    pipeline.outputs.HistoryTableName ?? '',
  ).message('m-handler');
  expect([...(stored?.events.keys() ?? [])]).toEqual(['evt']);

  const outOfTime = { ...lambdaContext, getRemainingTimeInMillis: () => 1000 };
  expect(await handler({ Records: [record] }, outOfTime)).toEqual({
    batchItemFailures: [{ itemIdentifier: 'queue-message-1' }],
  });
});
