import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signRequest } from '../../../contract/signature/sign.ts';
import { createHistoryReader } from '../../../functions/lists/history-list-store.ts';
import { decodeEnvelope, decodeSignal, encodeEnvelope } from '../../../functions/webhook/envelope.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { httpApiEvent, lambdaContext, waitLongForAws } from '../../../tools/support/lambda-events.ts';
import type { Started } from './post-signed.ts';

function recordOf(messageId: string, body: string): SQSRecord {
  return {
    messageId,
    receiptHandle: 'handle',
    body,
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
}

/** The exported handlers, in this process, against the services of a local run. */
export function handlersAnswer(pipeline: Started): void {
  /** Queues that no function reads. */
  let eventsQueueUrl: string | undefined;
  let signalsQueueUrl: string | undefined;

  beforeAll(async () => {
    const { outputs, port, sqs } = pipeline();
    const queue = async (QueueName: string) =>
      (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl;
    eventsQueueUrl = await queue('handlers-events');
    signalsQueueUrl = await queue('handlers-signals');
    const environment = {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port + 2}`,
      AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${port + 3}`,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port + 4}`,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      EVENTS_QUEUE_URL: eventsQueueUrl,
      SIGNALS_QUEUE_URL: signalsQueueUrl,
      PARK_UNVERIFIED: 'rotating',
      ALLOWED_SOURCE_IPS: '',
      CAPTURE_UNTIL: '',
      WEBHOOK_SECRET_ID: outputs.WebhookSecretId,
      WEBHOOK_URL: outputs.WebhookUrl,
      WEBHOOK_STATE_TABLE_NAME: outputs.WebhookStateTableName,
      HISTORY_TABLE_NAME: outputs.HistoryTableName,
      QUARANTINE_TABLE_NAME: outputs.QuarantineTableName,
      RETENTION_DAYS: '400',
      QUARANTINE_RETENTION_DAYS: '90',
      WORKLIST_SHARDS: '16',
      REGISTRATION: 'on',
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    await waitLongForAws();
  });
  afterAll(() => vi.unstubAllEnvs());

  it('ingest queues a request that is signed with the stored secret', async () => {
    const { handler, ready } = await import('../../../functions/ingest/handler.ts');
    await ready;
    const body = '{"type":"sms.status"}';
    const request = { body: Buffer.from(body), id: 'evt-h', now: Date.now(), url: pipeline().webhookUrl };
    const headers = signRequest(shippedContract.webhook.signature, request, await pipeline().webhookSecret());
    expect(await handler(httpApiEvent({ body, headers }), lambdaContext)).toMatchObject({ statusCode: 200 });
    expect(await handler(httpApiEvent({ body: `${body} `, headers }), lambdaContext)).toMatchObject({
      statusCode: 401,
    });
    const bodiesIn = async (QueueUrl: string | undefined) => {
      const { Messages = [] } = await pipeline().sqs.send(
        new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MaxNumberOfMessages: 10 }),
      );
      return Messages.map(({ Body = '' }) => Body);
    };
    const envelopes = await bodiesIn(eventsQueueUrl);
    expect(envelopes.map((text) => decodeEnvelope(text)?.signedId)).toEqual(['evt-h']);
    expect((await bodiesIn(signalsQueueUrl)).map(decodeSignal)).toEqual([
      { mismatches: 1, isBurst: false, isRotating: false },
    ]);
  });

  it('the worker stores a batch, and returns the messages that must be redelivered', async () => {
    const { handler } = await import('../../../functions/worker/handler.ts');
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
    const record = recordOf('queue-message-1', envelope);
    expect(await handler({ Records: [record] }, lambdaContext)).toEqual({ batchItemFailures: [] });
    const stored = await createHistoryReader(
      pipeline().dynamoDb,
      pipeline().outputs.HistoryTableName ?? '',
    ).message('m-handler');
    expect([...(stored?.events.keys() ?? [])]).toEqual(['evt']);

    const outOfTime = { ...lambdaContext, getRemainingTimeInMillis: () => 1000 };
    expect(await handler({ Records: [record] }, outOfTime)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'queue-message-1' }],
    });
  });
}
