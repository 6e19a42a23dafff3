import { randomUUID } from 'node:crypto';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { messageKey, optOutKey, replyKey } from '../../../../functions/history/index.ts';
import { detailTypes } from '../../../../functions/publish/shapes.ts';
import { type Envelope, encodeEnvelope } from '../../../../functions/receive/index.ts';
import { quarantineKey } from '../../../../functions/receive/io.ts';
import { createWebhookStateTable } from '../../../../functions/registration/io.ts';
import { replyEvent, statusEvent } from '../../../engine/reports.ts';
import { shippedContract } from '../../../support/contracts.ts';
import { foreignSecret, postSigned } from '../../../support/post-signed.ts';
import { anotherPhone } from '../another-phone.ts';
import { demand, type Exercise } from '../exercise.ts';
import { inboxOf } from '../test-bed.ts';
import { historyWriter, listShards, reported } from './history.ts';

/** Accepts signed requests, and signals unsigned ones to setup. */
export const exerciseIngest: Exercise = async ({ pipeline, eventually, restart }) => {
  const event = statusEvent(randomUUID());
  const signals = () => pipeline.functionLog('setup').split('SETUP-12').length;
  const signalsBefore = signals();
  await restart('ingest');
  demand('a signed event is taken', (await postSigned(pipeline, event)) === 200);
  const forged = await postSigned(pipeline, event, undefined, { secret: foreignSecret() });
  demand('a forged event is not', forged === 401);
  await eventually('setup receives the signal of the forged event', () => signals() > signalsBefore);
};

/** Stores a report, a reply and an opt-out, quarantines what it cannot read, and keeps parked requests waiting. */
export const exerciseWorker: Exercise = async ({ pipeline, output, eventually, restart }) => {
  const { dynamoDb, sqs, webhookUrl } = pipeline;
  const receivedAt = new Date().toISOString();
  const [messageId, replyId, unreadable] = [randomUUID(), randomUUID(), randomUUID()];
  const phone = anotherPhone();
  const envelope = (body: string): Envelope => ({
    requestId: randomUUID(),
    receivedAt,
    signedId: randomUUID(),
    body: Buffer.from(body),
  });
  // Without a final status, so that it is in the list of pending messages.
  const report = JSON.stringify(statusEvent(messageId, 'sent'));
  const reply = JSON.stringify(replyEvent(phone, 'STOP', replyId));
  const unsigned = { body: Buffer.from(report), id: randomUUID(), now: Date.now(), url: webhookUrl };
  const headers = signRequest(shippedContract.webhook.signature, unsigned, foreignSecret());
  const parked = () => pipeline.functionLog('worker').split('WORKER-05').length;
  const parkedBefore = parked();

  await restart('worker');
  for (const sent of [
    envelope(report),
    envelope(reply),
    { ...envelope('no JSON'), requestId: unreadable },
    { ...envelope(report), unverified: { headers, url: webhookUrl } },
  ])
    await sqs.send(
      new SendMessageCommand({ QueueUrl: output('EventsQueueUrl'), MessageBody: encodeEnvelope(sent) }),
    );

  const isThere = async (table: string, key: object) => {
    const got = await dynamoDb.send(
      new GetItemCommand({ TableName: output(table), Key: marshall(key), ConsistentRead: true }),
    );
    return got.Item !== undefined;
  };
  for (const pk of [messageKey(messageId), replyKey(replyId), optOutKey(phone)])
    await eventually('it is in history', () => isThere('HistoryTableName', { pk }));
  const key = quarantineKey({ receivedAt, requestId: unreadable }, { listShards: listShards(output) });
  await eventually('the unreadable one is in quarantine', () => isThere('QuarantineTableName', key));
  await eventually('the unverified one waits', () => parked() > parkedBefore);
  const state = createWebhookStateTable(dynamoDb, output('WebhookStateTableName'));
  await eventually('it is known when a verified request last came in', async () => {
    const { lastVerifiedAt = '' } = await state.read();
    return lastVerifiedAt >= receivedAt;
  });
};

/** Publishes what is new, and sets aside what it cannot read. */
export const exercisePublisher: Exercise = async (stage) => {
  const { pipeline, bus, output, eventually } = stage;
  const message = reported({ status: 'sent' });
  await historyWriter(stage).storeMessage(message);
  const unreadable = messageKey(randomUUID());
  await pipeline.dynamoDb.send(
    new PutItemCommand({ TableName: output('HistoryTableName'), Item: marshall({ pk: unreadable }) }),
  );
  await eventually('the event is on the bus', async () =>
    (await bus.published()).some(({ detail }) => detail.messageId === message.messageId),
  );
  const failures = inboxOf(pipeline.sqs, output('PublisherFailuresQueueUrl'));
  await eventually('the unreadable one is set aside', () => failures.has(unreadable));
};

/** Finds that the secret was rotated elsewhere, stores the new one, and publishes an event. */
export const exerciseSetup: Exercise = async ({ pipeline, sandbox, bus, output, invoke, eventually }) => {
  const reconcile = async () => {
    const answer = JSON.stringify(await invoke(output('SetupFunctionName'), { action: 'reconcile' }));
    if (answer.includes('"error"')) throw new Error(answer);
  };
  // Drift that was found before and is not repaired yet is not published again.
  await reconcile();
  const since = new Date().toISOString();
  const before = await pipeline.webhookSecret();
  await sandbox.rotateElsewhere();
  await reconcile();
  await eventually('the new secret is stored', async () => (await pipeline.webhookSecret()) !== before);
  await eventually('the change is published', async () =>
    (await bus.published()).some(
      (event) => event['detail-type'] === detailTypes.webhookDrifted && String(event.detail.foundAt) >= since,
    ),
  );
};
