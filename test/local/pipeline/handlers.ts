import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signRequest } from '../../../contract/signature/sign.ts';
import { createHistoryReader } from '../../../functions/history/lists/history-list-store.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../functions/receive/envelope.ts';
import { decodeSignal } from '../../../functions/registration/setup/mismatch-signal.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { httpApiEvent, lambdaContext, waitLongForAws } from '../../../tools/support/lambda-events.ts';
import { handlerEnvironment } from '../../../tools/trace/send-report.ts';
import { queueRecord } from '../../unit/functions/automations/runner/queue-record.ts';
import type { Started } from './post-signed.ts';

/** The exported handlers, in this process, against the services of a local run. */
export function handlersAnswer(pipeline: Started): void {
  /** Queues that no function reads. */
  let eventsQueueUrl: string | undefined;
  let signalsQueueUrl: string | undefined;

  beforeAll(async () => {
    const queue = async (QueueName: string) =>
      (await pipeline().sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '';
    eventsQueueUrl = await queue('handlers-events');
    signalsQueueUrl = await queue('handlers-signals');
    const environment = handlerEnvironment(pipeline(), {
      eventsQueueUrl,
      signalsQueueUrl,
      failuresQueueUrl: signalsQueueUrl,
      table: pipeline().outputs.HistoryTableName ?? '',
    });
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    await waitLongForAws();
  });
  afterAll(() => vi.unstubAllEnvs());

  it('ingest queues a request that is signed with the stored secret', async () => {
    const { handler, ready } = await import('../../../functions/receive/ingest/handler.ts');
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
    const { handler } = await import('../../../functions/receive/worker/handler.ts');
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
    const record = queueRecord('queue-message-1', 1, Date.now(), envelope);
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
