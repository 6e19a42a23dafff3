import type { DetectedMismatch } from '../../../contract/drift/drift-watch.ts';
import { areCopies, idsOfCopies } from '../../../contract/events/equal-replies.ts';
import type { EventMapper } from '../../../contract/events/mapping.ts';
import type { RequestValues } from '../../../contract/events/request-values.ts';
import { withHistoryIds } from '../../../contract/events/source-id.ts';
import { type ReplyText, type StatusEvent, unmappedRank } from '../../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../base/basics.ts';
import {
  compareText,
  decidingEntry,
  foldMessages,
  foldReplies,
  isSameStatement,
  joinStatements,
  type KeywordOf,
  type Message,
  messageOf,
  type OptOutStatement,
  probeMessagePrefix,
  type Reply,
  type ReplyEntry,
  readFailure,
  readStatement,
  replaces,
  replyOf,
  type StatusEntry,
  versionsOf,
} from '../../history/index.ts';
import type { Envelope } from '../envelope.ts';
import type { QuarantineEntry, QuarantineReason } from '../quarantine/quarantine.ts';

/** The parts of a queue message that the worker needs. */
export interface QueueMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  /** How often SQS has delivered it, this time included. */
  readonly receiveCount: number;
  readonly body: string;
  /** When the queue received it; milliseconds since the epoch. */
  readonly sentAt: number;
  /** When it was delivered for the first time; milliseconds since the epoch. */
  readonly firstReceivedAt: number;
}

/** A queue message with its decoded envelope. */
export interface Received {
  readonly queueMessage: QueueMessage;
  /** Undefined if the body is no envelope of the pipeline. */
  readonly envelope: Envelope | undefined;
}

/** A message or reply to write, with the queue messages that wait for the write. */
export interface Pending<T> {
  /** All arrivals, folded. */
  readonly value: T;
  /** By event id. Where one event arrived several times, this is the arrival that the history keeps. */
  readonly arrivals: ReadonlyMap<string, Arrival<T>>;
  /** Ids of the queue messages whose events are in it. */
  readonly queueMessages: ReadonlySet<string>;
  /** The ids under which copies of a reply may be stored; only if it has neither an id nor a time. */
  readonly copyIds?: readonly string[];
}

/** One event: its value for the history, and the event as received. */
interface Arrival<T> {
  readonly value: T;
  /** The entry that the history keeps. */
  readonly entry: StatusEntry | ReplyEntry;
  /** Returns the event as received. It is made on request, because nearly every event is stored. */
  received(): AsReceived;
}

/** The text of one arrival of a reply, as received. Of two texts under one event id the history keeps one, and the register needs both. */
interface ArrivedText {
  readonly text: ReplyText;
  /** Whether the whole reply can be read and goes into history. */
  readonly isReadable: boolean;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** Id of the queue message that waits until it is recorded. */
  readonly queueMessage: string;
}

/** One arrival of a delivery report with the reason `opted_out`. Of two reports under one event id the history keeps one, and the register needs both. */
interface ArrivedOptOut {
  readonly report: StatusEvent;
  /** The numbers that the recipient may be, if its text may be several. */
  readonly mayBe: readonly string[];
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** Id of the queue message that waits until it is recorded. */
  readonly queueMessage: string;
}

/** An event as received: a quarantine entry without its reason. */
export type AsReceived = Omit<QuarantineEntry, 'reason' | 'field'>;

/** A batch as work: one entry for each message, each reply, and each event or body that cannot be read. */
export interface Batch {
  readonly messages: readonly Pending<Message>[];
  readonly replies: readonly Pending<Reply>[];
  /** One entry for each arrival of a reply. */
  readonly texts: readonly ArrivedText[];
  /** One entry for each arrival of a report with the reason `opted_out`. */
  readonly optOuts: readonly ArrivedOptOut[];
  readonly unreadable: readonly PendingEntry[];
  /** Events whose status word the contract does not list. */
  readonly unmapped: number;
  /** Ids of the queue messages with nothing but the test event of `sms doctor`, which does not prove that the service sends. */
  readonly probes: ReadonlySet<string>;
  /** Where events differ from the contract; a mismatch is listed as often as events showed it. */
  readonly mismatches: readonly DetectedMismatch[];
}

/** An entry for the quarantine, and the ids of the queue messages that fail if it cannot be kept. */
export interface PendingEntry {
  /** The entry is made on request: one request may have thousands, and the register comes before them. */
  makeEntry(): QuarantineEntry;
  readonly queueMessages: Iterable<string>;
}

/** Builds the body that holds one event alone, which is written as JSON; undefined if the contract reads no such body. */
export type BodyOf = (event: Uint8Array, request: RequestValues) => Uint8Array | undefined;

/**
 * Splits verified requests into events and folds the events of each message or reply into one.
 *
 * @param source the name of the source that sent the requests
 * @param bodyOf shows which events are kept alone in quarantine
 */
export function readBatch(
  requests: readonly Received[],
  map: EventMapper,
  source: string,
  bodyOf: BodyOf,
): Batch {
  const messages = new Map<string, Gathered<Message>>();
  const replies = new Map<string, Gathered<Reply>>();
  const unreadable: PendingEntry[] = [];
  const texts: ArrivedText[] = [];
  const optOuts: ArrivedOptOut[] = [];
  const mismatches: DetectedMismatch[] = [];
  const copies = new CopiesInBatch();
  const probes = new Set<string>();
  let unmapped = 0;

  for (const { queueMessage: message, envelope } of requests) {
    const queueMessage = message.messageId;
    if (envelope === undefined) {
      const receivedAt = new Date(message.sentAt).toISOString();
      const entry = {
        reason: 'not-an-envelope',
        receivedAt,
        requestId: queueMessage,
        raw: Buffer.from(message.body),
      } as const;
      unreadable.push({ makeEntry: () => entry, queueMessages: [queueMessage] });
      continue;
    }
    const { receivedAt, requestId, signedId, contract, method, query, path } = envelope;
    const beside = omitUndefined({ method, query, path });
    const request = { receivedAt, requestId, signedId, contract, ...beside };
    const mappedEvents = map(envelope.body, signedId, receivedAt, beside);
    if (isProbe(mappedEvents, envelope)) probes.add(queueMessage);
    // What a list leaves out counts too: a body is whole only if it has nothing else.
    const eventsInBody = mappedEvents.length;
    for (const [index, mapped] of mappedEvents.entries()) {
      mismatches.push(...(mapped.mismatches ?? []));
      const text = mapped.replyText && copies.first(mapped.replyText, receivedAt);
      if (text !== undefined)
        texts.push({
          text: withHistoryIds(source, text),
          isReadable: mapped.kind === 'event',
          receivedAt,
          queueMessage,
        });
      const received = (): AsReceived => {
        const whole = { ...request, raw: envelope.body };
        if (mapped.content === undefined) return whole;
        if (mappedEvents.length === 1) return { ...whole, index, eventsInBody };
        const event = Buffer.from(JSON.stringify(mapped.content));
        // A replay of the whole body stores nothing twice: the others of its events have the same ids again.
        return bodyOf(event, beside) === undefined
          ? { ...whole, eventsInBody }
          : { ...request, index, eventsInBody, raw: event };
      };
      if (mapped.kind === 'unreadable') {
        const { reason, field } = mapped;
        unreadable.push({
          makeEntry: () => quarantined(received(), reason, field),
          queueMessages: [queueMessage],
        });
        continue;
      }
      const isCopy = text !== undefined && text.eventId !== mapped.event.eventId;
      const event = withHistoryIds(
        source,
        isCopy ? { ...mapped.event, eventId: text.eventId, replyId: text.replyId } : mapped.event,
      );
      if (event.kind === 'sms.status') {
        if (event.rank === unmappedRank) unmapped += 1;
        const value = messageOf(event, receivedAt);
        const arrival = { value, entry: decidingEntry(value), received };
        gather(messages, event.messageId, event.eventId, arrival, queueMessage);
        const { recipientMayBe: mayBe = [] } = mapped;
        if (event.errorReason === 'opted_out')
          optOuts.push({ report: event, mayBe, receivedAt, queueMessage });
      } else {
        const value = replyOf(event, receivedAt);
        const entry = versionsOf(value).get(event.eventId) ?? value.current;
        const arrival = { value, entry, received };
        const copyIds = text?.isByReceipt === true ? idsOfCopies(event.replyId) : undefined;
        gather(replies, event.replyId, event.eventId, arrival, queueMessage, copyIds);
      }
    }
  }
  return {
    messages: [...messages.values()].map((gathered) => pending(gathered, foldMessages)),
    replies: [...replies.values()].map((gathered) => pending(gathered, foldReplies)),
    texts,
    optOuts,
    unreadable,
    unmapped,
    probes,
    mismatches,
  };
}

/** Returns whether a request has the test event of `sms doctor`, and no other. One that cannot be read has no id, so the request is searched. */
function isProbe([only, ...others]: ReturnType<EventMapper>, { body }: Envelope): boolean {
  if (only === undefined || others.length > 0) return false;
  if (only.kind === 'unreadable') return Buffer.from(body).includes(probeMessagePrefix);
  const { event } = only;
  return event.kind === 'sms.status' && event.messageId.startsWith(probeMessagePrefix);
}

/** Finds copies of replies that have neither an id nor a time. The others of a batch are not stored yet. */
class CopiesInBatch {
  private readonly received = new Map<string, string>();

  /** Returns a text with the ids of the first copy of its reply in the batch. */
  first(text: ReplyText, receivedAt: string): ReplyText {
    if (!text.isByReceipt) return text;
    const copy = idsOfCopies(text.replyId).find((id) => {
      const at = this.received.get(id);
      return at !== undefined && areCopies(at, receivedAt);
    });
    if (copy !== undefined) return { ...text, eventId: copy, replyId: copy };
    if (!this.received.has(text.replyId)) this.received.set(text.replyId, receivedAt);
    return text;
  }
}

/** Returns the quarantine entry of an event. */
export function quarantined(received: AsReceived, reason: QuarantineReason, field?: string): QuarantineEntry {
  return { ...received, reason, field };
}

/** The events of one message or reply in a batch. */
interface Gathered<T> {
  readonly values: [T, ...T[]];
  readonly arrivals: Map<string, Arrival<T>>;
  readonly queueMessages: Set<string>;
  readonly copyIds?: readonly string[];
}

function gather<T>(
  all: Map<string, Gathered<T>>,
  id: string,
  eventId: string,
  arrival: Arrival<T>,
  queueMessage: string,
  copyIds?: readonly string[],
): void {
  const gathered = all.get(id);
  if (gathered === undefined) {
    const arrivals = new Map([[eventId, arrival]]);
    all.set(id, {
      values: [arrival.value],
      arrivals,
      queueMessages: new Set([queueMessage]),
      ...(copyIds !== undefined && { copyIds }),
    });
    return;
  }
  gathered.values.push(arrival.value);
  if (replaces(arrival.entry, gathered.arrivals.get(eventId)?.entry)) gathered.arrivals.set(eventId, arrival);
  gathered.queueMessages.add(queueMessage);
}

function pending<T>(
  { values, ...gathered }: Gathered<T>,
  fold: (values: readonly [T, ...T[]]) => T,
): Pending<T> {
  return { value: fold(values), ...gathered };
}

/** The opt-out and opt-in statements of one number in a batch. */
interface NumberStatements {
  readonly statements: readonly OptOutStatement[];
  /** Ids of the queue messages that wait until the statements are recorded. */
  readonly queueMessages: ReadonlySet<string>;
}

/** The messages and replies that were stored. One that is missing could not be stored, and is retried as a whole. */
export interface Stored {
  readonly messageIds: ReadonlySet<string>;
  /** By reply id, the versions that arrived as the history has them. */
  readonly versions: ReadonlyMap<string, readonly StoredVersion[]>;
}

/** A version of a reply in the history, with the id of the reply, which is another one if the arrival was a copy. */
export type StoredVersion = ReplyEntry & Pick<Reply, 'replyId'>;

/**
 * Gathers the opt-out and opt-in statements in the replies and reports of a batch, by number. Those of a reply or message that could not
 * be stored are left out. A reply that cannot be read as a whole does not wait for the quarantine.
 */
export function gatherStatements(
  { texts, optOuts }: Pick<Batch, 'texts' | 'optOuts'>,
  stored: Stored,
  keywordOf: KeywordOf,
): NumberStatements[] {
  const byPhone = new Map<string, { statements: OptOutStatement[]; queueMessages: Set<string> }>();
  const add = (statement: OptOutStatement, queueMessage: string) => {
    const { phone } = statement;
    const ofPhone = byPhone.get(phone) ?? { statements: [], queueMessages: new Set() };
    byPhone.set(phone, ofPhone);
    ofPhone.statements.push(statement);
    ofPhone.queueMessages.add(queueMessage);
  };
  for (const arrived of texts) {
    const versions = arrived.isReadable ? stored.versions.get(arrived.text.replyId) : [];
    if (versions === undefined) continue;
    const { mayBeFrom = [] } = arrived.text;
    for (const statement of statementsOf(arrived, versions, keywordOf)) {
      add(statement, arrived.queueMessage);
      // In doubt the person is opted out, whichever number it is. A START counts for the text alone.
      if (statement.state === 'out')
        for (const phone of mayBeFrom) add({ ...statement, phone }, arrived.queueMessage);
    }
  }
  for (const { report, mayBe, receivedAt, queueMessage } of optOuts) {
    const statement = stored.messageIds.has(report.messageId) ? readFailure(report, receivedAt) : undefined;
    if (statement === undefined) continue;
    for (const phone of [statement.phone, ...mayBe]) add({ ...statement, phone }, queueMessage);
  }
  return [...byPhone.values()].map(({ statements, queueMessages }) => ({
    statements: joinStatements([], statements),
    queueMessages,
  }));
}

/**
 * Returns the statements of an arrival. The history may have an earlier time of a copy than the register, which has no statements from
 * before this version of the pipeline.
 */
function statementsOf(
  { text, receivedAt }: ArrivedText,
  versions: readonly StoredVersion[],
  keywordOf: KeywordOf,
): OptOutStatement[] {
  if (text.part !== undefined && !text.optOut) {
    // The words of a part say nothing alone. Together they are what the person wrote.
    const whole = versions.find(({ parts }) => parts?.isWhole);
    const said = whole && readStatement({ ...text, ...whole }, whole.receivedAt, keywordOf);
    if (said === undefined) return [];
    const parts = versions.filter((version) => version.parts === undefined);
    const [last] = parts.toSorted(
      (a, b) => compareText(b.receivedAt, a.receivedAt) || compareText(b.eventId, a.eventId),
    );
    const isOnce = parts.length === whole?.parts?.total;
    if (said.state === 'in' || isOnce || last === undefined) return [said];
    // A part that arrived again may be of a second STOP. In doubt the person is opted out.
    const { eventId, occurredAt, timeIs, receivedAt: at } = last;
    const again = readStatement(
      { ...text, ...whole, eventId, occurredAt, ...omitUndefined({ timeIs }) },
      at,
      keywordOf,
    );
    return again === undefined ? [said] : [said, again];
  }
  const [original] = text.isByReceipt ? versions : [];
  if (original !== undefined && original.eventId !== text.eventId) {
    // It is a copy of a reply that was stored under another id.
    const { eventId, replyId } = original;
    const ofOriginal = readStatement({ ...text, ...original }, original.receivedAt, keywordOf);
    const ofCopy = readStatement({ ...text, eventId, replyId }, receivedAt, keywordOf);
    // Perhaps it is no copy. In doubt the person is opted out.
    return [ofOriginal, ofCopy?.state === 'out' ? ofCopy : undefined].filter((one) => one !== undefined);
  }
  const statement = readStatement(text, receivedAt, keywordOf);
  if (statement === undefined) return [];
  const version = versions.find(({ eventId }) => eventId === text.eventId);
  const stored = version && readStatement({ ...text, ...version }, version.receivedAt, keywordOf);
  const isCopy =
    stored !== undefined && stored.phone === statement.phone && isSameStatement(stored, statement);
  return isCopy ? [statement, stored] : [statement];
}
