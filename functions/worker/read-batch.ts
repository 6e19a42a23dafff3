import type { FoundNovelty } from '../core/drift/novelty.ts';
import type { ReplyText } from '../core/events/event.ts';
import type { EventMapper } from '../core/events/mapping.ts';
import { replaces } from '../core/history/content.ts';
import {
  decidingEntry,
  foldMessages,
  type Message,
  messageOf,
  type StatusEntry,
} from '../core/history/message.ts';
import { foldReplies, type Reply, type ReplyEntry, replyOf } from '../core/history/reply.ts';
import type { QuarantineEntry, QuarantineReason } from '../core/quarantine.ts';
import { unmappedRank } from '../core/statuses.ts';
import { type BatchDrift, gatherDrift } from './note-drift.ts';
import type { Received } from './queue-message.ts';

/** What is to be written, with the queue messages that wait for it. */
export interface Pending<T> {
  /** All arrivals in one. */
  readonly value: T;
  /** By event id; of several of one event the one that history keeps. */
  readonly arrivals: ReadonlyMap<string, Arrival<T>>;
  /** Ids of the queue messages whose events are in it. */
  readonly queueMessages: ReadonlySet<string>;
}

/** One event, as history takes it and as it came. */
interface Arrival<T> {
  readonly value: T;
  /** What history keeps of the event. */
  readonly entry: StatusEntry | ReplyEntry;
  /** Made only when asked for: nearly every event is stored, and nobody needs it. */
  source(): EventSource;
}

/** What one arrival of a reply says, as received: of two texts under one event id the history keeps one, the register needs both. */
export interface ArrivedText {
  readonly text: ReplyText;
  /** Whether the whole reply can be read and goes into history. */
  readonly isReadable: boolean;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** Id of the queue message that waits until it is recorded. */
  readonly queueMessage: string;
}

/** Where an event came from: all of a quarantine entry but the reason. */
export type EventSource = Omit<QuarantineEntry, 'reason' | 'field'>;

/** A batch as work to be done: one entry a message, one a reply, one a thing that cannot be read. */
export interface Batch {
  readonly messages: readonly Pending<Message>[];
  readonly replies: readonly Pending<Reply>[];
  /** One entry for each arrival of a reply. */
  readonly texts: readonly ArrivedText[];
  readonly unreadable: readonly { readonly entry: QuarantineEntry; readonly queueMessage: string }[];
  /** Events whose status word the contract does not list. */
  readonly unmapped: number;
  readonly drift: BatchDrift;
}

/** Splits verified requests into events and folds the events of each message or reply into one. */
export function readBatch(received: readonly Received[], map: EventMapper): Batch {
  const messages = new Map<string, Gathered<Message>>();
  const replies = new Map<string, Gathered<Reply>>();
  const unreadable: { entry: QuarantineEntry; queueMessage: string }[] = [];
  const texts: ArrivedText[] = [];
  const novelties = new Map<string, FoundNovelty>();
  let unmapped = 0;
  let occurrences = 0;

  for (const { queueMessage: message, envelope } of received) {
    const queueMessage = message.messageId;
    if (envelope === undefined) {
      const receivedAt = new Date(message.sentAt).toISOString();
      const entry = {
        reason: 'not-an-envelope',
        receivedAt,
        requestId: queueMessage,
        raw: Buffer.from(message.body),
      } as const;
      unreadable.push({ entry, queueMessage });
      continue;
    }
    const { receivedAt, requestId, signedId, contract } = envelope;
    const origin = {
      ...{ receivedAt, requestId },
      ...(signedId === undefined ? {} : { signedId }),
      ...(contract === undefined ? {} : { contract }),
    };
    const mappedEvents = map(envelope.body, signedId, receivedAt);
    const eventsInBody = mappedEvents.filter(({ content }) => content !== undefined).length;
    for (const [index, mapped] of mappedEvents.entries()) {
      occurrences += gatherDrift(novelties, mapped.novelties);
      const { readable: isReadable, replyText: text } = mapped;
      if (text !== undefined) texts.push({ text, isReadable, receivedAt, queueMessage });
      const source = (): EventSource =>
        mapped.content === undefined
          ? { ...origin, raw: envelope.body }
          : { ...origin, index, eventsInBody, raw: Buffer.from(JSON.stringify(mapped.content)) };
      if (!mapped.readable) {
        unreadable.push({ entry: quarantined(source(), mapped.reason, mapped.field), queueMessage });
        continue;
      }
      const { event } = mapped;
      if (event.kind === 'sms.status') {
        if (event.rank === unmappedRank) unmapped += 1;
        const value = messageOf(event, receivedAt);
        const arrival = { value, entry: decidingEntry(value), source };
        gather(messages, event.messageId, event.eventId, arrival, queueMessage);
      } else {
        const value = replyOf(event, receivedAt);
        const arrival = { value, entry: value.standing, source };
        gather(replies, event.replyId, event.eventId, arrival, queueMessage);
      }
    }
  }
  return {
    messages: [...messages.values()].map((gathered) => pending(gathered, foldMessages)),
    replies: [...replies.values()].map((gathered) => pending(gathered, foldReplies)),
    texts,
    unreadable,
    unmapped,
    drift: { novelties, occurrences },
  };
}

/** A quarantine entry for an event, with the reason. */
export function quarantined(source: EventSource, reason: QuarantineReason, field?: string): QuarantineEntry {
  return { ...source, reason, ...(field === undefined ? {} : { field }) };
}

/** What a batch holds of one message or reply. */
interface Gathered<T> {
  readonly values: [T, ...T[]];
  readonly arrivals: Map<string, Arrival<T>>;
  readonly queueMessages: Set<string>;
}

function gather<T>(
  all: Map<string, Gathered<T>>,
  id: string,
  eventId: string,
  arrival: Arrival<T>,
  queueMessage: string,
): void {
  const known = all.get(id);
  if (known === undefined) {
    const arrivals = new Map([[eventId, arrival]]);
    all.set(id, { values: [arrival.value], arrivals, queueMessages: new Set([queueMessage]) });
    return;
  }
  known.values.push(arrival.value);
  if (replaces(arrival.entry, known.arrivals.get(eventId)?.entry)) known.arrivals.set(eventId, arrival);
  known.queueMessages.add(queueMessage);
}

function pending<T>(
  { values, arrivals, queueMessages }: Gathered<T>,
  fold: (values: readonly [T, ...T[]]) => T,
): Pending<T> {
  return { value: fold(values), arrivals, queueMessages };
}
