import { CursorError, type Position } from '../core/history/cursor.ts';

/** An entry of a partition that is sorted by time. */
export interface Entry {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  /** What tells it from others of its time. */
  readonly key: string;
}

/** A stretch of a partition, newest first. */
export interface Stretch {
  readonly partition: string;
  /** The oldest and the newest time wanted, both included. */
  readonly from: string;
  readonly to: string;
  /** The entry after which it begins; its time is `to`. */
  readonly after?: Entry;
  readonly limit: number;
}

/** Partitions whose entries are read as one list, by time. */
export interface Group {
  readonly partitions: readonly string[];
  /** The oldest and the newest time wanted of it, both included. */
  readonly from: string;
  readonly to: string;
}

/** A list that lies in several partitions. */
export interface PartitionedList<E extends Entry> {
  /** Newest first; their times do not overlap. */
  readonly groups: Iterable<Group>;
  /** Reads a stretch. Fewer entries than `limit` mean its end. */
  read(stretch: Stretch): Promise<readonly E[]>;
}

/** An entry, or the end of a group that is not the last one; with the position behind it. */
export interface Step<E> {
  readonly entry: E | undefined;
  readonly position: Position;
  /** How many partitions were opened for the group that ended. */
  readonly partitions: number;
}

/**
 * Walks through a list, newest first; entries of one time by partition. Each partition is read as far as it is needed.
 *
 * @param after where to go on
 * @param pageSize how many entries the caller is likely to take
 * @throws CursorError for a position the database does not know how to go on from
 */
export async function* walk<E extends Entry>(
  { groups, read }: PartitionedList<E>,
  after: Position | undefined,
  pageSize: number,
): AsyncGenerator<Step<E>, void> {
  let before: Group | undefined;
  for (const group of groups) {
    if (after !== undefined && group.from > after.at) continue;
    if (before !== undefined)
      yield {
        entry: undefined,
        position: { at: before.from, partition: 0, key: null },
        partitions: before.partitions.length,
      };
    before = group;
    const limit = Math.min(pageSize, Math.max(8, Math.ceil((2 * pageSize) / group.partitions.length)));
    const heads = group.partitions.map((partition, number) =>
      headOf(stretchAfter(after, { partition, number, limit, from: group.from, to: group.to }), read),
    );
    await Promise.all(heads.map((head) => head.fill()));
    for (;;) {
      const number = newest(heads);
      const head = heads[number];
      const entry = head?.take();
      if (head === undefined || entry === undefined) break;
      yield { entry, position: { at: entry.at, partition: number, key: entry.key }, partitions: 0 };
      await head.fill();
    }
  }
}

/** How many entries are read of a partition at least, once the first ones did not do. */
const leastFurther = 50;

/** What is left of a partition behind a position; undefined where nothing is. */
function stretchAfter(
  position: Position | undefined,
  { number, ...whole }: Omit<Stretch, 'after'> & { readonly number: number },
): Stretch | undefined {
  if (position === undefined || position.at > whole.to) return whole;
  const { at, partition, key } = position;
  const isPast = key === null || number < partition;
  const rest = { ...whole, to: isPast ? justBefore(at) : at };
  if (rest.to < rest.from) return undefined;
  return key !== null && number === partition ? { ...rest, after: { at, key } } : rest;
}

/** The newest entry of a partition that was not taken yet, and those behind it as far as they were read. */
interface Head<E> {
  first(): E | undefined;
  take(): E | undefined;
  /** Reads on where nothing is left in memory. */
  fill(): Promise<void>;
}

function headOf<E extends Entry>(stretch: Stretch | undefined, read: PartitionedList<E>['read']): Head<E> {
  let rest = stretch;
  let entries: readonly E[] = [];
  let taken = 0;
  return {
    first: () => entries[taken],
    take: () => entries[taken++],
    async fill() {
      if (taken < entries.length || rest === undefined) return;
      const { limit } = rest;
      entries = await read(rest).catch((error: unknown) => {
        // The partitions are ours, so it is the position that the database refuses.
        const isRefused = error instanceof Error && error.name === 'ValidationException';
        throw isRefused && rest?.after !== undefined ? new CursorError() : error;
      });
      taken = 0;
      const last = entries.at(-1);
      const isOver = last === undefined || entries.length < limit;
      // Who reads on needs more than was thought.
      rest = isOver ? undefined : { ...rest, to: last.at, after: last, limit: Math.max(limit, leastFurther) };
    },
  };
}

/** The partition whose first entry is the newest; of several the first one. */
function newest(heads: readonly Head<Entry>[]): number {
  let best = -1;
  let bestAt = '';
  for (const [number, head] of heads.entries()) {
    const at = head.first()?.at;
    if (at !== undefined && at > bestAt) {
      best = number;
      bestAt = at;
    }
  }
  return best;
}

/** The millisecond before a time. */
function justBefore(iso: string): string {
  return new Date(Date.parse(iso) - 1).toISOString();
}
