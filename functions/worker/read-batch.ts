import { decodeEnvelope } from '../core/envelope.ts';
import type { EventMapper } from '../core/events/mapping.ts';
import { type Message, mergeMessages, messageOf } from '../core/history/message.ts';
import { mergeReplies, type Reply, replyOf } from '../core/history/reply.ts';
import type { QuarantineEntry, QuarantineReason } from '../core/quarantine.ts';
import { unmappedRank } from '../core/statuses.ts';

/** One message of the queue, as far as the worker needs it. */
export interface QueueMessage {
  readonly messageId: string;
  readonly body: string;
  /** When the queue received it; milliseconds since the epoch. */
  readonly sentAt: number;
}

/** What is to be written, with the queue messages that wait for it. */
export interface Pending<T> {
  readonly value: T;
  /** Ids of the queue messages whose events are in it. */
  readonly queueMessages: Set<string>;
  /** Each event as it came, by event id, for the quarantine. */
  readonly sources: Map<string, EventSource>;
}

/** Where an event came from: all of a quarantine entry but the reason. */
export type EventSource = Omit<QuarantineEntry, 'reason' | 'field'>;

/** A batch as work to be done: one entry a message, one a reply, one a thing that cannot be read. */
export interface Batch {
  readonly messages: readonly Pending<Message>[];
  readonly replies: readonly Pending<Reply>[];
  readonly unreadable: readonly { readonly entry: QuarantineEntry; readonly queueMessage: string }[];
  /** Events whose status word the contract does not list. */
  readonly unmapped: number;
}

/** Splits queue messages into events and folds the events of each message or reply into one. */
export function readBatch(queueMessages: readonly QueueMessage[], map: EventMapper): Batch {
  const messages = new Map<string, Pending<Message>>();
  const replies = new Map<string, Pending<Reply>>();
  const unreadable: { entry: QuarantineEntry; queueMessage: string }[] = [];
  let unmapped = 0;

  for (const { messageId: queueMessage, body, sentAt } of queueMessages) {
    const envelope = decodeEnvelope(body);
    if (envelope === undefined) {
      const receivedAt = new Date(sentAt).toISOString();
      const entry = {
        reason: 'not-an-envelope',
        receivedAt,
        requestId: queueMessage,
        raw: Buffer.from(body),
      } as const;
      unreadable.push({ entry, queueMessage });
      continue;
    }
    const { receivedAt, requestId, signedId } = envelope;
    const origin = { receivedAt, requestId, ...(signedId === undefined ? {} : { signedId }) };
    for (const [index, mapped] of map(envelope.body, signedId).entries()) {
      const source: EventSource =
        mapped.content === undefined
          ? { ...origin, raw: envelope.body }
          : { ...origin, index, raw: Buffer.from(JSON.stringify(mapped.content)) };
      if (!mapped.readable) {
        unreadable.push({ entry: quarantined(source, mapped.reason, mapped.field), queueMessage });
        continue;
      }
      const { event } = mapped;
      if (event.kind === 'sms.status') {
        if (event.rank === unmappedRank) unmapped += 1;
        fold(
          messages,
          event.messageId,
          messageOf(event, receivedAt),
          mergeMessages,
          queueMessage,
          event.eventId,
          source,
        );
      } else
        fold(
          replies,
          event.replyId,
          replyOf(event, receivedAt),
          mergeReplies,
          queueMessage,
          event.eventId,
          source,
        );
    }
  }
  return { messages: [...messages.values()], replies: [...replies.values()], unreadable, unmapped };
}

/** A quarantine entry for an event, with the reason. */
export function quarantined(source: EventSource, reason: QuarantineReason, field?: string): QuarantineEntry {
  return { ...source, reason, ...(field === undefined ? {} : { field }) };
}

function fold<T>(
  pending: Map<string, Pending<T>>,
  id: string,
  value: T,
  merge: (a: T, b: T) => T,
  queueMessage: string,
  eventId: string,
  source: EventSource,
): void {
  const known = pending.get(id);
  pending.set(id, {
    value: known === undefined ? value : merge(known.value, value),
    queueMessages: (known?.queueMessages ?? new Set()).add(queueMessage),
    sources: (known?.sources ?? new Map<string, EventSource>()).set(eventId, source),
  });
}
