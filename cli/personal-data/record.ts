import { phoneKey } from '../../contract/phone/phone-key.ts';
import {
  causeOf,
  decidingEntry,
  isFinal,
  type Message,
  type OptOutChange,
  type OptOutStatement,
  type Reply,
} from '../../functions/history/index.ts';
import {
  type MessageView,
  type OptOutView,
  type QuarantineEntryView,
  type ReplyView,
  viewMessage,
  viewOptOut,
  viewQuarantineEntry,
  viewReply,
  viewStatement,
} from '../../functions/query/index.ts';
import type { QuarantinedEntry } from '../../functions/receive/shapes.ts';

/** The kinds of data that are stored about the person behind a number. */
export const recordKinds = ['message', 'reply', 'opt-out', 'quarantined'] as const;

export type RecordKind = (typeof recordKinds)[number];

/** One record about the person behind a number. */
export type PersonalRecord =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'reply'; readonly reply: Reply }
  | {
      readonly kind: 'opt-out';
      /** The latest opt-out or opt-in of the number. */
      readonly change: OptOutChange;
      /** All stored opt-outs and opt-ins of the number, the newest first. */
      readonly statements: readonly OptOutStatement[];
      /** The record was found only by a national spelling. It may be another person's, so an erasure leaves it. */
      readonly isUncertain?: true;
    }
  /** A quarantine entry that contains the number: one event, or a whole body that may have events of other people too. */
  | { readonly kind: 'quarantined'; readonly entry: QuarantinedEntry };

export type RecordCounts = Readonly<Record<RecordKind, number>>;

export const noRecords: RecordCounts = { message: 0, reply: 0, 'opt-out': 0, quarantined: 0 };

/** Identifies a record without its content. */
export interface RecordSummary {
  readonly kind: RecordKind;
  /** The id of the message, reply or quarantine entry; for an opt-out the id of its reply, entry or message. */
  readonly id: string;
  /** When the record was first seen, sent or received; ISO 8601 in UTC. */
  readonly at: string;
  readonly note?: RecordNote;
  /** The number is stored without a country code, so the record may be another person's. */
  readonly withoutCountryCode?: true;
}

/** A further consequence of erasing a record. */
export type RecordNote =
  /** The message may get more reports, each of which restores it: it is not final, or had a report lately. */
  | 'may-get-reports'
  /** The opt-out of the person would be lost. */
  | 'opted-out'
  /** An erasure leaves this opt-out, which may be another person's. */
  | 'stays'
  /** A whole body is deleted, with any events of other people in it. */
  | 'whole-body';

/** Most repeats and corrections of the service arrive within this time. */
const lateReportsMs = 7 * 86_400_000;

/** Summarizes a record. @param now epoch milliseconds */
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
        at: record.reply.current.occurredAt,
        ...certainty(record.reply.current.from),
      };
    case 'opt-out': {
      const { phone, at, state } = record.change;
      return {
        kind,
        id: causeOf(record.change),
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
 * The evidence of an erasure: when it was done and how much it deleted. It does not show who the person was.
 */
export interface ErasureReceipt {
  readonly id: string;
  readonly state: 'running' | 'done';
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Undefined while the erasure is running or after it was interrupted. */
  readonly finishedAt?: string;
  /** The records deleted so far. */
  readonly counts: RecordCounts;
  /** The version of the tool that began the erasure. */
  readonly toolVersion: string;
  /** Whether the number's opt-out is kept, so that it gets no further messages. */
  readonly keepOptOut: boolean;
}

/** A record as JSON, in full. */
export type PersonalRecordView =
  | ({ readonly kind: 'message' } & MessageView)
  | ({
      readonly kind: 'reply';
      /** Versions with the same id that do not apply; usually none. */
      readonly olderVersions: readonly ReplyView[];
    } & ReplyView)
  | ({
      readonly kind: 'opt-out';
      readonly state: 'out' | 'in';
      /** The opt-outs and opt-ins of the number, the newest first. */
      readonly statements: readonly ReturnType<typeof viewStatement>[];
    } & OptOutView)
  | ({
      readonly kind: 'quarantined';
      /** The URL of a request that was not verified. */
      readonly url: string | null;
      /** The query and the path of a request that was verified, if the contract reads them. */
      readonly query: string | null;
      readonly path: string | null;
      /** The id that the signature covers. */
      readonly signedId: string | null;
    } & QuarantineEntryView);

export function viewPersonalRecord(record: PersonalRecord): PersonalRecordView {
  const { kind } = record;
  switch (kind) {
    case 'message':
      return { kind, ...viewMessage(record.message) };
    case 'reply': {
      const { replyId, olderVersions } = record.reply;
      const others = [...olderVersions.values()].map((current) =>
        viewReply({ replyId, current, olderVersions: new Map() }),
      );
      return { kind, ...viewReply(record.reply), olderVersions: others };
    }
    case 'opt-out': {
      const statements = record.statements.map(viewStatement);
      return { kind, state: record.change.state, ...viewOptOut(record.change), statements };
    }
    case 'quarantined': {
      const { url = null, query = null, path = null, signedId = null } = record.entry;
      return { kind, ...viewQuarantineEntry(record.entry), url, query, path, signedId };
    }
  }
}
