import { phoneKey } from '../../contract/phone/phone-key.ts';
import { decidingEntry, isFinal, type Message, type Reply } from '../../functions/history/message.ts';
import type { OptOutChange, OptOutStatement } from '../../functions/opt-out/opt-out-store.ts';
import type { QuarantinedEntry } from '../../functions/quarantine/quarantine.ts';
import {
  type MessageView,
  type OptOutView,
  type QuarantineEntryView,
  type ReplyView,
  viewMessage,
  viewOptOut,
  viewQuarantineEntry,
  viewReply,
} from '../../functions/query/views.ts';

/** What can be kept about the person behind a number. */
export const recordKinds = ['message', 'reply', 'opt-out', 'quarantined'] as const;

export type RecordKind = (typeof recordKinds)[number];

/** One thing that is kept about the person behind a number. */
export type PersonalRecord =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'reply'; readonly reply: Reply }
  | {
      readonly kind: 'opt-out';
      /** What the number said last about being written to. */
      readonly change: OptOutChange;
      /** All that is kept of what it said about that, the newest first. */
      readonly statements: readonly OptOutStatement[];
      /** Found only by a national spelling: it may be another person's, so an erasure leaves it. */
      readonly isUncertain?: true;
    }
  /** Something unreadable in which the number occurs: one event, or a whole body with events of others as well. */
  | { readonly kind: 'quarantined'; readonly entry: QuarantinedEntry };

export type RecordCounts = Readonly<Record<RecordKind, number>>;

export const noRecords: RecordCounts = { message: 0, reply: 0, 'opt-out': 0, quarantined: 0 };

/** What tells a record from others, without a word of what it says. */
export interface RecordSummary {
  readonly kind: RecordKind;
  /** Of a message, a reply, a quarantine entry; of an opt-out the reply that said it. */
  readonly id: string;
  /** When it was first seen, sent, said or received; ISO 8601 in UTC. */
  readonly at: string;
  readonly note?: RecordNote;
  /** Its number is stored as text that names no country, so it may be another person's. */
  readonly withoutCountryCode?: true;
}

/** What an erasure of the record has as a consequence besides. */
export type RecordNote =
  /** A message that may well get more reports, each of which brings it back: not final, or reported on lately. */
  | 'may-get-reports'
  /** It would be forgotten that the person wants no messages. */
  | 'opted-out'
  /** An erasure leaves it: an opt-out that may be another person's. */
  | 'stays'
  /** A whole body goes, with the events of others in it. */
  | 'whole-body';

/** The service mostly repeats and corrects itself within this time. */
const lateReportsMs = 7 * 86_400_000;

/** @param now epoch milliseconds */
export function summarizeRecord(record: PersonalRecord, now: number): RecordSummary {
  const { kind } = record;
  switch (kind) {
    case 'message': {
      const { messageId, firstSeenAt } = record.message;
      const note = mayGetReports(record.message, now) ? { note: 'may-get-reports' as const } : {};
      return { kind, id: messageId, at: firstSeenAt, ...note, ...certainty(record.message.phone) };
    }
    case 'reply':
      return {
        kind,
        id: record.reply.replyId,
        at: record.reply.standing.occurredAt,
        ...certainty(record.reply.standing.from),
      };
    case 'opt-out': {
      const { phone, replyId, at, state } = record.change;
      return {
        kind,
        id: replyId,
        at,
        ...(state === 'out' ? { note: 'opted-out' } : {}),
        ...(record.isUncertain === true ? { note: 'stays' } : {}),
        ...certainty(phone),
      };
    }
    case 'quarantined': {
      const { id, receivedAt, index } = record.entry;
      return { kind, id, at: receivedAt, ...(index === undefined ? { note: 'whole-body' } : {}) };
    }
  }
}

function certainty(phone: string | undefined): Pick<RecordSummary, 'withoutCountryCode'> {
  return phone === undefined || phoneKey(phone).startsWith('+') ? {} : { withoutCountryCode: true };
}

function mayGetReports(message: Message, now: number): boolean {
  if (!isFinal(decidingEntry(message))) return true;
  return [...message.events.values()].some(({ receivedAt }) => now - Date.parse(receivedAt) < lateReportsMs);
}

/**
 * What is left of an erasure: that it was done, when, and how much it took. Neither the number nor a hash of it: there are
 * so few numbers that all of them can be hashed and compared.
 */
export interface ErasureReceipt {
  readonly id: string;
  readonly state: 'running' | 'done';
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Undefined while it is running, or broke off. */
  readonly finishedAt?: string;
  /** What was deleted so far. */
  readonly counts: RecordCounts;
  /** Version of the tool that began it. */
  readonly toolVersion: string;
  /** Whether the number's opt-out stays, so that it is not written to again. */
  readonly keepOptOut: boolean;
}

/** One thing that is kept about a person as JSON, in full. */
export type PersonalRecordView =
  | ({ readonly kind: 'message' } & MessageView)
  | ({
      readonly kind: 'reply';
      /** Versions the service sent under the same id that do not stand; mostly none. */
      readonly superseded: readonly ReplyView[];
    } & ReplyView)
  | ({
      readonly kind: 'opt-out';
      readonly state: 'out' | 'in';
      /** What the number said about being written to, the newest first. */
      readonly statements: readonly StatementView[];
    } & OptOutView)
  | ({
      readonly kind: 'quarantined';
      /** Of a request that was not verified: where it was posted to. */
      readonly url: string | null;
    } & QuarantineEntryView);

interface StatementView {
  readonly state: 'out' | 'in';
  readonly at: string;
  readonly replyId: string;
}

export function viewPersonalRecord(record: PersonalRecord): PersonalRecordView {
  const { kind } = record;
  switch (kind) {
    case 'message':
      return { kind, ...viewMessage(record.message) };
    case 'reply': {
      const { replyId, superseded } = record.reply;
      const others = [...superseded.values()].map((standing) =>
        viewReply({ replyId, standing, superseded: new Map() }),
      );
      return { kind, ...viewReply(record.reply), superseded: others };
    }
    case 'opt-out': {
      const statements = record.statements.map(({ state, at, replyId }) => ({ state, at, replyId }));
      return { kind, state: record.change.state, ...viewOptOut(record.change), statements };
    }
    case 'quarantined':
      return { kind, ...viewQuarantineEntry(record.entry), url: record.entry.url ?? null };
  }
}
