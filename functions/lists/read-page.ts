import { CursorError, decodeCursor, encodeCursor, type Position } from './cursor.ts';
import type { Page, PageRequest } from './time-range.ts';

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
interface Step<E> {
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
async function* walk<E extends Entry>(
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

/** A page ends where its entries have grown to so many bytes: an answer of Lambda holds 6 MB. */
const maximumPageBytes = 3_000_000;

/** A page ends after so many entries that were looked at, wanted or not, and after so many partitions that were opened. */
const mostExamined = 1000;
const mostPartitions = 640;

/** Once entries turn out not to be wanted, so many are looked at together, whatever the page still lacks. */
const leastChunk = 50;

/** An entry as it is given out, and how large it is. */
export interface Loaded<T> {
  readonly value: T;
  readonly bytes: number;
}

export interface PageOf<E extends Entry, T> {
  readonly list: PartitionedList<E>;
  /** What the list is about: its cursors go with this only. */
  readonly identity: readonly string[];
  /** Turns entries into what is given out, one for each; undefined leaves an entry out. */
  load(entries: readonly E[]): Promise<readonly (Loaded<T> | undefined)[]>;
}

/** @throws CursorError */
export async function readPage<E extends Entry, T>(
  { list, identity, load }: PageOf<E, T>,
  { limit, cursor }: PageRequest,
): Promise<Page<T>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, identity);
  const steps = walk(list, after, limit);
  const entries: T[] = [];
  let end: Position | undefined;
  let room = maximumPageBytes;
  let isChunkDone = true;
  let examined = 0;
  let partitions = 0;
  const isOpen = () => entries.length < limit && room > 0;

  while (isOpen() && examined < mostExamined && partitions < mostPartitions) {
    const lacking = limit - entries.length;
    const chunk = await take(steps, examined === 0 ? lacking : Math.max(lacking, leastChunk));
    if (chunk.length === 0) return { entries };
    const loaded = (await load(chunk.flatMap(({ entry }) => entry ?? []))).values();
    for (const step of chunk) {
      if (!isOpen()) break;
      end = step.position;
      if (step.entry === undefined) {
        partitions += step.partitions;
        continue;
      }
      examined += 1;
      const { value } = loaded.next();
      if (value === undefined) continue;
      entries.push(value.value);
      room -= value.bytes;
    }
    isChunkDone = end === chunk.at(-1)?.position;
  }
  // A full page tells whether it is the last one, so that nobody asks for an empty one.
  const isLast = isChunkDone && entries.length === limit && (await take(steps, 1)).length === 0;
  return isLast || end === undefined ? { entries } : { entries, next: encodeCursor(end, identity) };
}

/** The next so many entries, fewer where a group ends; nothing at the end of the list. */
async function take<E>(steps: AsyncGenerator<Step<E>, void>, count: number): Promise<readonly Step<E>[]> {
  const taken: Step<E>[] = [];
  while (taken.length < count) {
    const { value } = await steps.next();
    if (value === undefined) break;
    taken.push(value);
    if (value.entry === undefined) break;
  }
  return taken;
}
