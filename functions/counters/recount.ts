import { type Item, messageKey, messagePrefix, replyPrefix } from '../history/history-item-store.ts';
import { UnreadableItemError } from '../history/packed.ts';
import { readMessage, readReply } from '../history/stream-record.ts';
import type { KeywordOf } from '../opt-out/keyword.ts';
import { type Cohort, cohortKey } from './cohort.ts';
import { firstTime, messageContribution, replyContribution } from './contributions.ts';
import { addTallies, negated, type Tally } from './tally.ts';

/** What a stored message or reply counts. */
export interface CountedState {
  readonly tally: Tally;
  /** Where the tally counts, by {@link cohortName}. */
  readonly cohorts: ReadonlyMap<string, Cohort>;
  /** The message that a reply answers. */
  readonly answers: string | undefined;
  readonly sendId: string | undefined;
  /** The time of a message's earliest report, milliseconds since 1970. */
  readonly first: number | undefined;
  /** For how long it is kept after it was received last, in milliseconds. */
  readonly keptMs: number;
}

/** A change of an item in the stream of the history. */
export interface LoggedChange {
  readonly shardId: string;
  /** The padded sequence number. */
  readonly position: string;
  readonly key: string;
  readonly isRemoval: boolean;
  readonly before: CountedState | undefined;
  readonly after: CountedState | undefined;
}

/** Up to where each shard of the stream is counted: padded sequence numbers by the id of the shard. */
export type Positions = ReadonlyMap<string, string>;

/** Returns the name of a cohort, which is the same in all generations. */
export function cohortName(cohort: Cohort): string {
  const { pk, sk } = cohortKey('', cohort);
  return `${pk} ${sk}`;
}

const answersName = (messageId: string): string => `answers ${messageId}`;

/** Reads what an item counts; undefined for items that the counters leave out. */
export function countedState(item: Item, keywordOf: KeywordOf): CountedState | undefined {
  const key = item.pk?.S ?? '';
  const expiresAt = Number(item.expiresAt?.N ?? 0) * 1000;
  try {
    if (key.startsWith(messagePrefix)) {
      const message = readMessage(item);
      const { tally, cohorts } = messageContribution(message);
      const received = [...message.events.values()].map(({ receivedAt }) => Date.parse(receivedAt));
      return {
        tally,
        cohorts: new Map(cohorts.map((cohort) => [cohortName(cohort), cohort])),
        answers: undefined,
        sendId: message.sendId?.toWellFormed(),
        first: firstTime(message),
        keptMs: expiresAt - Math.max(...received),
      };
    }
    if (key.startsWith(replyPrefix)) {
      const reply = readReply(item);
      const { tally, cohorts } = replyContribution(reply, keywordOf);
      return {
        tally,
        cohorts: new Map(cohorts.map((cohort) => [cohortName(cohort), cohort])),
        answers: reply.standing.messageId,
        sendId: undefined,
        first: undefined,
        keptMs: Number.POSITIVE_INFINITY,
      };
    }
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
  }
  return undefined;
}

/**
 * Recounts the history for given positions of its stream. A scan sees each item at another time. An item that has changed since then, or
 * shortly before, is in the log of the stream, and the log shows what the live function has still to count of it.
 */
export class Recount {
  readonly #seen = new Map<string, CountedState>();
  readonly #sums = new Map<string, Tally>();
  readonly #cohorts = new Map<string, Cohort>();
  readonly #firsts = new Map<string, number>();
  #log = new Map<string, LoggedChange[]>();
  /** The shortest time for which a message is kept. */
  keptMs = Number.POSITIVE_INFINITY;

  get items(): number {
    return this.#seen.size;
  }

  /** The cohorts of all states that the scan and the log have. */
  get cohorts(): ReadonlyMap<string, Cohort> {
    return this.#cohorts;
  }

  /** Adds an item that the scan found. */
  see(key: string, state: CountedState): void {
    this.#seen.set(key, state);
    this.#note(state);
    this.keptMs = Math.min(this.keptMs, state.keptMs);
    for (const name of namesOf(state))
      this.#sums.set(name, addTallies(this.#sums.get(name) ?? {}, state.tally));
  }

  /** Replaces the log. @param changes all since before the scan, until after it and after the last position that is asked for */
  setLog(changes: readonly LoggedChange[]): void {
    this.#log = Map.groupBy(
      changes.toSorted((one, other) => (one.position < other.position ? -1 : 1)),
      ({ key }) => key,
    );
    for (const { before, after } of changes)
      for (const state of [before, after]) if (state !== undefined) this.#note(state);
  }

  /** Returns the messages that have replies, with the send of the message as far as it is known. */
  answered(): ReadonlyMap<string, string | undefined> {
    const ids = new Set<string>();
    const states = [...this.#log.values()].flat().flatMap(({ before, after }) => [before, after]);
    for (const state of [...this.#seen.values(), ...states])
      if (state?.answers !== undefined) ids.add(state.answers);
    return new Map([...ids].map((id) => [id, this.sendOf(id)]));
  }

  /** Returns the send of a message, if it is known. */
  sendOf(messageId: string): string | undefined {
    const key = messageKey(messageId);
    return (this.#log.get(key)?.at(-1)?.after ?? this.#seen.get(key))?.sendId;
  }

  /** Returns the time of the earliest report of a send that was seen. */
  firstOf(name: string): number | undefined {
    return this.#firsts.get(name);
  }

  /** Returns what the counters must be at given positions, so that they are those of the history in the end. */
  at(positions: Positions): RecountAt {
    const changes = new Map<string, Tally>();
    const add = (state: CountedState | undefined, signed: (tally: Tally) => Tally) => {
      if (state === undefined) return;
      for (const name of namesOf(state))
        changes.set(name, addTallies(changes.get(name) ?? {}, signed(state.tally)));
    };
    for (const [key, logged] of this.#log) {
      const last = logged.at(-1);
      add(this.#seen.get(key), negated);
      add(last?.isRemoval === true ? undefined : last?.after, (tally) => tally);
      // What is still to be counted is taken back. The live function counts neither deletions nor states that it cannot read.
      for (const { shardId, position, before, after } of logged) {
        if (after === undefined || position <= (positions.get(shardId) ?? '')) continue;
        add(after, negated);
        add(before, (tally) => tally);
      }
    }
    const sum = (name: string) => addTallies(this.#sums.get(name) ?? {}, changes.get(name) ?? {});
    return { cohort: sum, answers: (messageId) => sum(answersName(messageId)) };
  }

  #note({ cohorts, first }: CountedState): void {
    for (const [name, cohort] of cohorts) {
      this.#cohorts.set(name, cohort);
      if (cohort.kind === 'send' && first !== undefined)
        this.#firsts.set(name, Math.min(first, this.#firsts.get(name) ?? first));
    }
  }
}

/** The counts at a position of the stream. */
export interface RecountAt {
  /** A send's are without its replies. */
  cohort(name: string): Tally;
  /** The replies to a message. */
  answers(messageId: string): Tally;
}

function namesOf({ cohorts, answers }: CountedState): string[] {
  return [...cohorts.keys(), ...(answers === undefined ? [] : [answersName(answers)])];
}
