import {
  compareByTime,
  decidingEntry,
  hasConflict,
  isFinal,
  type Message,
  type StatusEntry,
} from './message.ts';
import type { Reply } from './reply.ts';
import type { TimelineEntry } from './timeline.ts';

/** One delivery report as JSON. Times are ISO 8601 in UTC. */
interface StatusEventView {
  readonly eventId: string;
  /** The canonical status, or the service's word where the contract does not list it. */
  readonly status: string;
  /** The service's word, where it differs from `status`. */
  readonly word?: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly errorCode?: string;
  readonly errorText?: string;
}

/** One message with its whole history as JSON. Times are ISO 8601 in UTC. */
export interface MessageView {
  readonly messageId: string;
  /** The recipient, E.164 where it could be read as such; null where no report told it. */
  readonly phone: string | null;
  readonly sendId: string | null;
  readonly status: string;
  /** Whether no further report is to be expected. */
  readonly final: boolean;
  /** When the report that decided the status happened. */
  readonly statusAt: string;
  readonly firstSeenAt: string;
  /** Whether one report says that the message arrived and another that it did not. */
  readonly conflict: boolean;
  /** Oldest first. */
  readonly events: readonly StatusEventView[];
}

/** One reply as JSON: the version that stands. Times are ISO 8601 in UTC. */
export interface ReplyView {
  readonly replyId: string;
  /** The message it answers, where the service tells. */
  readonly messageId?: string;
  readonly from: string;
  readonly to?: string;
  readonly text: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
}

type TimelineEntryView =
  | ({ readonly kind: 'message' } & MessageView)
  | ({ readonly kind: 'reply' } & ReplyView);

/** The timeline of one number as JSON, newest first. */
export interface PhoneView {
  readonly phone: string;
  readonly entries: readonly TimelineEntryView[];
}

export function viewMessage(message: Message): MessageView {
  const deciding = decidingEntry(message);
  return {
    messageId: message.messageId,
    phone: message.phone ?? null,
    sendId: message.sendId ?? null,
    status: deciding.status,
    final: isFinal(deciding),
    statusAt: deciding.occurredAt,
    firstSeenAt: message.firstSeenAt,
    conflict: hasConflict(message),
    events: [...message.events.values()].sort(compareByTime).map(viewEvent),
  };
}

export function viewReply({ replyId, standing }: Reply): ReplyView {
  const { messageId, from, to, text, occurredAt, receivedAt } = standing;
  return {
    replyId,
    ...(messageId === undefined ? {} : { messageId }),
    from,
    ...(to === undefined ? {} : { to }),
    text,
    occurredAt,
    receivedAt,
  };
}

/**
 * @param phone E.164
 * @param entries in the order they are to be shown
 */
export function viewPhone(phone: string, entries: readonly TimelineEntry[]): PhoneView {
  return {
    phone,
    entries: entries.map((entry) =>
      entry.kind === 'message'
        ? { kind: 'message', ...viewMessage(entry.message) }
        : { kind: 'reply', ...viewReply(entry.reply) },
    ),
  };
}

function viewEvent(entry: StatusEntry): StatusEventView {
  const { eventId, status, word, occurredAt, receivedAt, errorCode, errorText } = entry;
  return {
    eventId,
    status,
    ...(word === undefined || word === status ? {} : { word }),
    occurredAt,
    receivedAt,
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorText === undefined ? {} : { errorText }),
  };
}
