import { decodeCursor, encodeCursor, type Position } from '../core/history/cursor.ts';
import type { Page, PageRequest } from '../core/history/listing.ts';
import { type Entry, type PartitionedList, type Step, walk } from './partition-walk.ts';

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
