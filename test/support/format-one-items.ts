import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import { messageKey, replyKey, sendPartition, shardOf } from '../../functions/history/history-item-store.ts';
import { decidingEntry, isFinal, type Message, type Reply } from '../../functions/history/message.ts';

/** Items as pipelines before 1.0 wrote them. */
type Item = Record<string, AttributeValue>;

const item = (fields: object): Item => marshall(fields, { removeUndefinedValues: true });

/** @param generation undefined for the oldest version */
export function formatOneMessage(message: Message, shards: number, generation?: string): Item {
  const { messageId, phone, sendId, firstSeenAt, events } = message;
  const deciding = decidingEntry(message);
  const key = phone && phoneKey(phone);
  const shard = shardOf(messageId, shards);
  const outcome = outcomeOf(deciding.rank);
  const lists = {
    open: { worklist: `pending#${shard}`, listedAt: firstSeenAt },
    failure: {
      worklist: `failed#${deciding.occurredAt.slice(0, 10)}#${shard}`,
      listedAt: deciding.occurredAt,
    },
  };
  return item({
    pk: messageKey(messageId),
    messageId,
    phone: key,
    number: phone === key ? undefined : phone,
    sendId,
    sendKey: sendId && sendPartition(sendId, shard),
    status: deciding.status,
    rank: deciding.rank,
    statusAt: deciding.occurredAt,
    statusEventId: deciding.eventId,
    final: isFinal(deciding),
    ...(outcome === 'open' || outcome === 'failure' ? lists[outcome] : {}),
    firstSeenAt,
    at: firstSeenAt,
    eventCount: events.size,
    generation,
    expiresAt: Date.parse(firstSeenAt) / 1000 + 400 * 86_400,
    ...attributesOf(events.values()),
  });
}

export function formatOneReply(
  { replyId, standing, superseded }: Reply,
  shards: number,
  generation?: string,
): Item {
  const { occurredAt, receivedAt } = standing;
  return item({
    pk: replyKey(replyId),
    replyId,
    ...standing,
    phone: phoneKey(standing.from),
    at: occurredAt,
    worklist: `reply#${occurredAt.slice(0, 10)}#${shardOf(replyId, shards)}`,
    listedAt: occurredAt,
    eventCount: 1 + superseded.size,
    generation,
    expiresAt: Date.parse(receivedAt) / 1000 + 400 * 86_400,
    ...attributesOf(superseded.values()),
  });
}

function attributesOf(entries: Iterable<{ readonly eventId: string }>) {
  return Object.fromEntries(
    [...entries].map(({ eventId, ...fields }) => [`event#${eventId}`, fields] as const),
  );
}
