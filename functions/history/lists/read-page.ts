import { decodeCursor, encodeCursor, errorBehind, type Position } from './cursor.ts';
import type { Page, PageRequest } from './time-range.ts';

/** An entry of a partition that is sorted by time. */
export interface Entry {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  /** Distinguishes it from other entries of its time. */
  readonly key: string;
}

/** A part of a partition, in the order of its list. */
export interface Stretch {
  readonly partition: string;
  /** The oldest and the newest time, both included. */
  readonly from: string;
  readonly to: string;
  /** The part begins after this entry, whose time is `to`, or `from` in a list whose oldest entry is first. */
  readonly after?: Entry;
  readonly limit: number;
}

/** Partitions whose entries are read as one list, by time. */
export interface Group {
  readonly partitions: readonly string[];
  /** The oldest and the newest time, both included. */
  readonly from: string;
  readonly to: string;
}

/** A list that is stored in several partitions. */
export interface PartitionedList<E extends Entry> {
  /** In the order of the list; their times do not overlap. */
  readonly groups: Iterable<Group>;
  /** Whether the oldest entry is the first, in place of the newest. */
  readonly isOldestFirst?: boolean;
  /** Reads a part. Fewer entries than `limit` mean its end. */
  read(stretch: Stretch): Promise<readonly E[]>;
}

/** An entry, or the end of a group that is not the last one, with the position after it. */
interface Step<E> {
  readonly entry: E | undefined;
  readonly position: Position;
  /** How many partitions were read for the group that ended. */
  readonly partitions: number;
}

/**
 * Walks through a list in its order. Entries of the same time are ordered by partition. Each partition is read only as far as needed.
 *
 * @param after the position from which to continue
 * @param pageSize the number of entries that the caller is likely to need
 * @throws CursorError for a position from which the database cannot continue
 */
async function* walk<E extends Entry>(
  { groups, read, isOldestFirst = false }: PartitionedList<E>,
  after: Position | undefined,
  pageSize: number,
): AsyncGenerator<Step<E>, void> {
  let before: (Group & { readonly last: string }) | undefined;
  for (const group of groups) {
    const last = isOldestFirst ? group.to : group.from;
    if (after !== undefined && isBefore(last, after.at, isOldestFirst)) continue;
    if (before !== undefined)
      yield {
        entry: undefined,
        position: { at: before.last, partition: 0, key: null },
        partitions: before.partitions.length,
      };
    before = { ...group, last };
    const limit = Math.min(pageSize, Math.max(8, Math.ceil((2 * pageSize) / group.partitions.length)));
    const heads = group.partitions.map((partition, number) =>
      headOf(
        stretchAfter(after, { partition, number, limit, from: group.from, to: group.to }, isOldestFirst),
        read,
        isOldestFirst,
      ),
    );
    await Promise.all(heads.map((head) => head.fill()));
    for (;;) {
      const number = firstOf(heads, isOldestFirst);
      const head = heads[number];
      const entry = head?.take();
      if (head === undefined || entry === undefined) break;
      yield { entry, position: { at: entry.at, partition: number, key: entry.key }, partitions: 0 };
      await head.fill();
    }
  }
}

/** A further read of a partition reads at least this many entries. */
const minFurtherEntries = 50;

/** Returns the part of a partition after a position; undefined if it is empty. */
function stretchAfter(
  position: Position | undefined,
  { number, ...whole }: Omit<Stretch, 'after'> & { readonly number: number },
  isOldestFirst: boolean,
): Stretch | undefined {
  const first = isOldestFirst ? whole.from : whole.to;
  if (position === undefined || isBefore(position.at, first, isOldestFirst)) return whole;
  const { at, partition, key } = position;
  const isPast = key === null || number < partition;
  const rest = isOldestFirst
    ? { ...whole, from: isPast ? shifted(at, 1) : at }
    : { ...whole, to: isPast ? shifted(at, -1) : at };
  if (rest.to < rest.from) return undefined;
  return key !== null && number === partition ? { ...rest, after: { at, key } } : rest;
}

/** The entries of a partition that were read and not taken yet, newest first. */
interface Head<E> {
  first(): E | undefined;
  take(): E | undefined;
  /** Reads further entries if no entry is left. */
  fill(): Promise<void>;
}

function headOf<E extends Entry>(
  stretch: Stretch | undefined,
  read: PartitionedList<E>['read'],
  isOldestFirst: boolean,
): Head<E> {
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
        throw errorBehind(rest?.after, error);
      });
      taken = 0;
      const last = entries.at(-1);
      const isOver = last === undefined || entries.length < limit;
      // A caller that needs a further read needs more entries than expected.
      rest = isOver
        ? undefined
        : {
            ...rest,
            ...(isOldestFirst ? { from: last.at } : { to: last.at }),
            after: last,
            limit: Math.max(limit, minFurtherEntries),
          };
    },
  };
}

/** Returns the index of the partition whose first entry is the first of the list; of several the first one. */
function firstOf(heads: readonly Head<Entry>[], isOldestFirst: boolean): number {
  let best = -1;
  let bestAt: string | undefined;
  for (const [number, head] of heads.entries()) {
    const at = head.first()?.at;
    if (at !== undefined && (bestAt === undefined || isBefore(at, bestAt, isOldestFirst))) {
      best = number;
      bestAt = at;
    }
  }
  return best;
}

/** Returns whether a time is before another one in the order of a list. */
function isBefore(one: string, other: string, isOldestFirst: boolean): boolean {
  return isOldestFirst ? one < other : one > other;
}

function shifted(iso: string, ms: number): string {
  return new Date(Date.parse(iso) + ms).toISOString();
}

/** A page ends when its entries have this many bytes, because an answer of Lambda holds 6 MB. */
const maxPageBytes = 3_000_000;

/** A page ends after this many entries, also those that the filter leaves out, and after this many partitions. */
const maxExamined = 1000;
const maxPartitions = 640;

/** After the filter has left entries out, at least this many are loaded together. */
const minChunk = 50;

/** An entry of a page, with its size. */
export interface Loaded<T> {
  readonly value: T;
  readonly bytes: number;
}

export interface PageOf<E extends Entry, T> {
  readonly list: PartitionedList<E>;
  /** Identifies the list: its cursors are valid for this list only. */
  readonly identity: readonly string[];
  /** Loads the entries of a page, one for each; undefined leaves an entry out. */
  load(entries: readonly E[]): Promise<readonly (Loaded<T> | undefined)[]>;
}

/** Reads one page of a list. @throws CursorError */
export async function readPage<E extends Entry, T>(
  { list, identity, load }: PageOf<E, T>,
  { limit, cursor }: PageRequest,
): Promise<Page<T>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, identity);
  const steps = walk(list, after, limit);
  const entries: T[] = [];
  let end: Position | undefined;
  let room = maxPageBytes;
  let isChunkDone = true;
  let examined = 0;
  let partitions = 0;
  const isOpen = () => entries.length < limit && room > 0;

  while (isOpen() && examined < maxExamined && partitions < maxPartitions) {
    const lacking = limit - entries.length;
    const chunk = await take(steps, examined === 0 ? lacking : Math.max(lacking, minChunk));
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
  // A full page shows whether it is the last one, so that no caller requests an empty page.
  const isLast = isChunkDone && entries.length === limit && (await take(steps, 1)).length === 0;
  if (isLast || end === undefined) return { entries };
  const next = encodeCursor(end, identity);
  return isOpen() ? { entries, next, searchedTo: end.at } : { entries, next };
}

/** Returns the next entries: fewer at the end of a group, and none at the end of the list. */
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
