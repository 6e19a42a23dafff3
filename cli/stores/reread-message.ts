import type { Contract } from '../../contract/schema/contract-schema.ts';
import { type CanonicalErrorReason, rankOf, unmappedRank } from '../../contract/schema/sms-event.ts';
import { decidingEntry, type Message, type StatusEntry } from '../../functions/history/message.ts';

/** A report whose status or reason a contract sees otherwise than the history has it. */
interface ChangedReport {
  /** The service's word, and what it stands for. */
  readonly word: string;
  readonly status: Change<string>;
  /** The service's error code, and what it stands for; undefined where there is none. */
  readonly code: string | undefined;
  readonly errorReason: Change<CanonicalErrorReason | undefined>;
}

interface Change<T> {
  readonly from: T;
  readonly to: T;
}

/** What a contract's words and error codes make of a message. */
export interface RereadMessage {
  /** How many reports of it there are. */
  readonly reports: number;
  readonly changed: readonly ChangedReport[];
  /** Its status, where it would be another. */
  readonly status?: Change<string>;
}

/**
 * Compares what the history has of a message with what a contract's `statuses` and `errors` would make of the same words and
 * codes. The rest of the contract cannot be compared: bodies are not kept.
 */
export function createReread({
  statuses,
  errors,
}: Pick<Contract, 'statuses' | 'errors'>): (message: Message) => RereadMessage {
  const words = new Map(Object.entries(statuses));
  const reasons = new Map(Object.entries(errors));

  function reread(entry: StatusEntry): StatusEntry {
    const word = entry.word ?? entry.status;
    const canonical = words.get(word);
    const reason = entry.errorCode === undefined ? undefined : reasons.get(entry.errorCode);
    const { errorReason: _, ...rest } = entry;
    return {
      ...rest,
      status: canonical ?? word,
      rank: canonical === undefined ? unmappedRank : rankOf(canonical),
      ...(reason === undefined ? {} : { errorReason: reason }),
    };
  }

  return (message) => {
    const entries = [...message.events.values()];
    const events = new Map(entries.map((entry) => [entry.eventId, reread(entry)]));
    const changed = entries.flatMap((entry): ChangedReport[] => {
      const now = events.get(entry.eventId) ?? entry;
      const status = changeOf(entry, now);
      if (status.from === status.to && now.errorReason === entry.errorReason) return [];
      return [
        {
          word: entry.word ?? entry.status,
          status,
          code: entry.errorCode,
          errorReason: { from: entry.errorReason, to: now.errorReason },
        },
      ];
    });
    const status = changeOf(decidingEntry(message), decidingEntry({ ...message, events }));
    return { reports: entries.length, changed, ...(status.from === status.to ? {} : { status }) };
  };
}

/** What becomes of a status; the same twice where nothing does. A word may be spelled as a status and not have been listed. */
function changeOf(from: StatusEntry, to: StatusEntry): Change<string> {
  const wasListed = from.rank !== unmappedRank;
  const isListed = to.rank !== unmappedRank;
  if (from.status !== to.status || wasListed === isListed) return { from: from.status, to: to.status };
  return { from: wasListed ? from.status : 'unlisted', to: isListed ? to.status : 'unlisted' };
}
