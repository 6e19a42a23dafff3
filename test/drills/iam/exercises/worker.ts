import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { messageKey, optOutKey, replyKey } from '../../../../functions/adapters/history-items.ts';
import { quarantineKey } from '../../../../functions/adapters/quarantine-table.ts';
import { createWebhookStateTable } from '../../../../functions/adapters/webhook-state-table.ts';
import { type Envelope, encodeEnvelope } from '../../../../functions/core/envelope.ts';
import { signRequest } from '../../../../functions/core/signature/sign.ts';
import { shippedContract } from '../../../support/contracts.ts';
import { type Exercise, freshPhone } from '../exercise.ts';
import { forgedSecret } from './ingest.ts';

/** Stores a report, a reply and an opt-out, quarantines what it cannot read, and keeps waiting what nobody can verify yet. */
export const exerciseWorker: Exercise = async ({ pipeline, output, eventually, restart }) => {
  const { dynamoDb, sqs, webhookUrl } = pipeline;
  const receivedAt = new Date().toISOString();
  const [messageId, replyId, unreadable] = [randomUUID(), randomUUID(), randomUUID()];
  const phone = freshPhone();
  const envelope = (body: string): Envelope => ({
    requestId: randomUUID(),
    receivedAt,
    signedId: randomUUID(),
    body: Buffer.from(body),
  });
  const report = JSON.stringify({
    type: 'sms.status',
    data: { id: messageId, to: phone, status: 'sent', occurred_at: receivedAt },
  });
  const reply = JSON.stringify({
    type: 'sms.reply',
    data: { id: replyId, from: phone, text: 'STOP', occurred_at: receivedAt },
  });
  const unsigned = { body: Buffer.from(report), id: randomUUID(), now: Date.now(), url: webhookUrl };
  const headers = signRequest(shippedContract.webhook.signature, unsigned, forgedSecret());
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
  const key = quarantineKey({ receivedAt, requestId: unreadable });
  await eventually('the unreadable one is in quarantine', () => isThere('QuarantineTableName', key));
  await eventually('the unverified one waits', () => parked() > parkedBefore);
  const state = createWebhookStateTable(dynamoDb, output('WebhookStateTableName'));
  await eventually('it is known when a verified request last came in', async () => {
    const { lastVerifiedAt = '' } = await state.read();
    return lastVerifiedAt >= receivedAt;
  });
};
