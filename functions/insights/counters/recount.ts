import {
  type Item,
  type KeywordOf,
  messageFromItem,
  messageKey,
  messagePrefix,
  replyFromItem,
  replyPrefix,
  UnreadableItemError,
} from '../../history/index.ts';
import { type Cohort, cohortKey } from './cohort.ts';
import { firstTime, messageContribution, replyContribution } from './contributions.ts';
import type { Tally } from './tally.ts';

/** What a recount remembers of a message or reply. */
interface Counted {
  readonly tally: Tally;
  /** Where the tally counts, by {@link cohortName}. */
  readonly cohorts: ReadonlyMap<string, Cohort>;
  /** The message that a reply answers. */
  readonly answers: string | undefined;
  readonly sendId: string | undefined;
}

/** What a stored message or reply counts. */
export interface CountedState extends Counted {
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

/** Returns the name of a cohort. */
export function cohortName(cohort: Cohort): string {
  const { pk, sk } = cohortKey(cohort);
  return `${pk} ${sk}`;
}

const answersName = (messageId: string): string => `answers ${messageId}`;

/** Reads what an item counts; undefined for items that the counters leave out. */
export function countedState(item: Item, keywordOf: KeywordOf): CountedState | undefined {
  const key = item.pk?.S ?? '';
  const expiresAt = Number(item.expiresAt?.N ?? 0) * 1000;
  try {
    if (key.startsWith(messagePrefix)) {
      const message = messageFromItem(item);
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
      const reply = replyFromItem(item);
      const { tally, cohorts } = replyContribution(reply, keywordOf);
      return {
        tally,
        cohorts: new Map(cohorts.map((cohort) => [cohortName(cohort), cohort])),
        answers: reply.current.messageId,
        sendId: undefined,
        first: undefined,
        keptMs: Number.POSITIVE_INFINITY,
      };
    }
  } catch (error) {
    // A RangeError comes from a time in another form, with which no figure can be computed.
    if (!(error instanceof UnreadableItemError || error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** Counts by name, by the name of a cohort. They are added in place, because each message of a large history adds to a few of them. */
type Sums = Map<string, Map<string, number>>;

function addTo(sums: Sums, state: Counted | undefined, factor: 1 | -1): void {
  if (state === undefined) return;
  for (const name of namesOf(state)) {
    const counts = sums.get(name) ?? new Map<string, number>();
    sums.set(name, counts);
    for (const [count, number] of Object.entries(state.tally))
      counts.set(count, (counts.get(count) ?? 0) + factor * number);
  }
}

/** The items that the scan saw, each once, in as many Maps as they need. */
class SeenItems {
  readonly #maps: Map<string, Counted>[] = [];
  readonly #maxKeys: number;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#maps.reduce((sum, { size }) => sum + size, 0);
  }

  add(key: string, state: Counted): void {
    const last = this.#maps.at(-1);
    if (last === undefined || last.size === this.#maxKeys) this.#maps.push(new Map([[key, state]]));
    else last.set(key, state);
  }

  get(key: string): Counted | undefined {
    for (const map of this.#maps) {
      const state = map.get(key);
      if (state !== undefined) return state;
    }
    return undefined;
  }

  *values(): Generator<Counted, void> {
    for (const map of this.#maps) yield* map.values();
  }
}

/**
 * Recounts the history for given positions of its stream. A scan sees each item at another time. An item that has changed since then, or
 * shortly before, is in the log of the stream, and the log shows what the live function has still to count.
 */
export class Recount {
  readonly #seen: SeenItems;
  readonly #sums: Sums = new Map();
  readonly #cohorts = new Map<string, Cohort>();
  readonly #firsts = new Map<string, number>();
  /** Messages that count the same share a tally, and those of the same cohorts share these. */
  readonly #tallies = new Map<string, Tally>();
  readonly #places = new Map<string, Pick<Counted, 'cohorts' | 'sendId'>>();
  #log = new Map<string, LoggedChange[]>();
  #logOfShards = new Map<string, LoggedChange[]>();
  /** How the last states in the log differ from those that the scan saw. */
  #changed: Sums = new Map();
  /** The shortest time for which a message is kept. */
  keptMs = Number.POSITIVE_INFINITY;

  /** @param maxMapKeys how many keys a Map holds: V8 ends with a RangeError at the next one */
  constructor(maxMapKeys = 2 ** 24) {
    this.#seen = new SeenItems(maxMapKeys);
  }

  get items(): number {
    return this.#seen.size;
  }

  /** The cohorts of all states that the scan and the log have. */
  get cohorts(): ReadonlyMap<string, Cohort> {
    return this.#cohorts;
  }

  /** Adds an item that the scan found. */
  see(key: string, state: CountedState): void {
    this.#seen.add(key, this.#remembered(state));
    this.#note(state);
    this.keptMs = Math.min(this.keptMs, state.keptMs);
    addTo(this.#sums, state, 1);
  }

  /** Replaces the log. @param changes all since before the scan, until after it and after the last position that is asked for */
  setLog(changes: readonly LoggedChange[]): void {
    const sorted = changes.toSorted((one, other) => (one.position < other.position ? -1 : 1));
    this.#log = Map.groupBy(sorted, ({ key }) => key);
    this.#logOfShards = Map.groupBy(sorted, ({ shardId }) => shardId);
    for (const { before, after } of changes)
      for (const state of [before, after]) if (state !== undefined) this.#note(state);
    this.#changed = new Map();
    for (const [key, logged] of this.#log) {
      const last = logged.at(-1);
      addTo(this.#changed, this.#seen.get(key), -1);
      addTo(this.#changed, last?.isRemoval === true ? undefined : last?.after, 1);
    }
  }

  /** Returns the messages that have replies, with the send of the message as far as it is known. */
  answered(): ReadonlyMap<string, string | undefined> {
    const ids = new Set<string>();
    for (const { answers } of this.#seen.values()) if (answers !== undefined) ids.add(answers);
    for (const logged of this.#log.values())
      for (const { before, after } of logged)
        for (const state of [before, after]) if (state?.answers !== undefined) ids.add(state.answers);
    return new Map([...ids].map((id) => [id, this.sendOf(id)]));
  }

  /** Returns the send of a message, if it is known. */
  sendOf(messageId: string): string | undefined {
    const key = messageKey(messageId);
    return (this.#log.get(key)?.at(-1)?.after ?? this.#seen.get(key))?.sendId;
  }

  /** Returns whether the log shows that a message was deleted, and nothing after that. */
  isRemoved(messageId: string): boolean {
    return this.#log.get(messageKey(messageId))?.at(-1)?.isRemoval === true;
  }

  /** Returns the time of the earliest report of a send that was seen. */
  firstOf(name: string): number | undefined {
    return this.#firsts.get(name);
  }

  /** Returns what the counters must be at given positions, so that they are those of the history in the end. */
  at(positions: Positions): RecountAt {
    const uncounted: Sums = new Map();
    // What is still to be counted is taken back. The live function counts neither deletions nor states that it cannot read.
    for (const [shardId, logged] of this.#logOfShards) {
      const counted = positions.get(shardId) ?? '';
      const next = logged.findLastIndex(({ position }) => position <= counted) + 1;
      for (const { before, after } of logged.slice(next)) {
        if (after === undefined) continue;
        addTo(uncounted, after, -1);
        addTo(uncounted, before, 1);
      }
    }
    return {
      cohort: (cohort, answered = []) => {
        const counts = new Map<string, number>();
        for (const name of [cohort, ...answered.map(answersName)])
          for (const sums of [this.#sums, this.#changed, uncounted])
            for (const [count, number] of sums.get(name) ?? [])
              counts.set(count, (counts.get(count) ?? 0) + number);
        return Object.fromEntries([...counts].filter(([, number]) => number !== 0));
      },
    };
  }

  #remembered({ tally, cohorts, answers, sendId }: CountedState): Counted {
    const own = shared(this.#tallies, JSON.stringify(tally), tally);
    const place = shared(this.#places, [sendId ?? '', ...cohorts.keys()].join(' '), { cohorts, sendId });
    return { tally: own, cohorts: place.cohorts, sendId: place.sendId, answers };
  }

  #note({ cohorts, first }: CountedState): void {
    for (const [name, cohort] of cohorts) {
      if (!this.#cohorts.has(name)) this.#cohorts.set(name, cohort);
      if (cohort.kind === 'send' && first !== undefined)
        this.#firsts.set(name, Math.min(first, this.#firsts.get(name) ?? first));
    }
  }
}

/** The counts at a position of the stream. */
export interface RecountAt {
  /** Returns the counts of a cohort. A send's are without replies, except those to the given messages. */
  cohort(name: string, answered?: readonly string[]): Tally;
}

/** Returns the first value that was remembered under a name. */
function shared<T>(values: Map<string, T>, name: string, value: T): T {
  const first = values.get(name) ?? value;
  values.set(name, first);
  return first;
}

function namesOf({ cohorts, answers }: Counted): string[] {
  return [...cohorts.keys(), ...(answers === undefined ? [] : [answersName(answers)])];
}
