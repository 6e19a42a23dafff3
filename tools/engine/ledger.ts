import type { PostResult } from '../../local/sms-service/poster.ts';
import type { Report } from './reports.ts';

/**
 * The answer to a request. It was acknowledged (200), or it was rejected and is not stored, or it had no clear answer (5xx, 429 or no answer)
 * and may be stored.
 */
type Answer = 'rejected' | 'unknown' | 'acknowledged';

/** A delivery report that was sent. */
export interface Entry {
  readonly report: Report;
  /** When it was posted first, milliseconds since the epoch. */
  postedAt: number;
  /** The best answer to its attempts. */
  answer: Answer;
  /** The last answer. */
  result: PostResult | undefined;
}

/** All that was sent, with its answers. In scenarios of several cells, each id begins with `<cell>-`, the cell that sent it. */
export class Ledger {
  /** Genuine reports by {@link entryKey}. */
  readonly reports = new Map<string, Entry>();
  /** Reports with a wrong signature, by message id. They must not be in the history. */
  readonly forged = new Map<string, Entry>();
  /** Acknowledged replies by their id. */
  readonly replies = new Map<string, { readonly number: string; readonly isStop: boolean }>();
  /** Ids in acknowledged bodies that no contract maps. Each must be in quarantine once. */
  readonly unreadable = new Set<string>();
  /** Ids of messages whose items the publisher cannot read. It must send their keys to its failures queue. */
  readonly strayItems = new Set<string>();
  /** Messages that the opt-out automation cannot read and abandons. */
  readonly noEvents = new Set<string>();
  /** Saved cards that have expired, by the id of the card. */
  readonly cards = new Map<string, string>();
  /** The events that the delivery watch must publish, by their id. */
  readonly degradations = new Map<string, string>();
  /** The number of each answer to genuine requests, and to forged ones. */
  readonly answers = new Map<PostResult, number>();
  readonly forgedAnswers = new Map<PostResult, number>();
  /** The number of genuine reports that were acknowledged. */
  acknowledged = 0;
  #lastId = 0;
  #lastNumber = 0;

  /** Records a report that is about to be posted, for the first time or again. */
  sent(report: Report, { isForged = false, postedAt = Date.now() } = {}): Entry {
    const entries = isForged ? this.forged : this.reports;
    const key = isForged ? report.messageId : entryKey(report);
    const entry = entries.get(key) ?? { report, postedAt, answer: 'rejected', result: undefined };
    entries.set(key, entry);
    return entry;
  }

  /** Records the answer to a report. */
  answered(entry: Entry, result: PostResult): void {
    const answer = answerOf(result);
    const isForged = this.forged.get(entry.report.messageId) === entry;
    if (!isForged && answer === 'acknowledged' && entry.answer !== 'acknowledged') this.acknowledged += 1;
    if (order.indexOf(answer) > order.indexOf(entry.answer)) entry.answer = answer;
    entry.result = result;
    countIn(isForged ? this.forgedAnswers : this.answers, result);
  }

  /** A unique id with the name of its cell. */
  newId(cell: string): string {
    this.#lastId += 1;
    return `${cell}-${this.#lastId}`;
  }

  /** A fictitious number that no other reply comes from: 555-0100 to 555-0199 of an area. */
  newNumber(): string {
    const area = areas[Math.floor(this.#lastNumber / 100)];
    if (area === undefined) throw new Error('more replies than there are fictitious numbers');
    const number = `+1${area}55501${String(this.#lastNumber % 100).padStart(2, '0')}`;
    this.#lastNumber += 1;
    return number;
  }

  /** Returns how many entries of a cell must be found. */
  count(cell: string): number {
    const entries = [...this.reports.values(), ...this.forged.values()];
    const ids = [
      ...entries.filter(({ answer }) => answer === 'acknowledged').map(({ report }) => report.messageId),
      ...this.replies.keys(),
      ...this.cards.values(),
      ...this.degradations.values(),
      ...this.unreadable,
      ...this.strayItems,
      ...this.noEvents,
    ];
    return ids.filter((id) => cellOf(id) === cell).length;
  }
}

const order: readonly Answer[] = ['rejected', 'unknown', 'acknowledged'];

function answerOf(result: PostResult): Answer {
  if (isUnavailable(result)) return 'unknown';
  return result === 200 ? 'acknowledged' : 'rejected';
}

/** Returns whether a request had no clear answer. Then the sender retries it. */
function isUnavailable(result: PostResult): boolean {
  return typeof result !== 'number' || result >= 500 || result === 429;
}

/** Returns the identity of a report: its event id, or its message and status if the service chooses the event id. */
function entryKey({ eventId, messageId, status }: Report): string {
  return eventId ?? `${messageId} ${status}`;
}

/** The cell that an id belongs to. */
export function cellOf(id: string): string {
  return id.split('-')[0] ?? '';
}

/** Counts one more of something. */
export function countIn<T>(counts: Map<T, number>, what: T): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

const areas = ['212', '213', '303', '305', '312', '404', '415', '503', '512', '617', '702', '713'];
