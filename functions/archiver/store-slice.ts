import pMap from 'p-map';
import type { ArchiveObjects } from '../archive/archive.ts';
import {
  type ArchivedId,
  type ArchivedItem,
  archivedItem,
  idLine,
  itemLine,
  objectName,
  readIdLine,
  readItemLine,
  shardOfId,
  shardOfNumber,
} from '../archive/archive-lines.ts';
import type { Item } from '../history/history-item-store.ts';

/** Items that are archived together. */
export interface Slice {
  /** The month in which they were noted, yyyy-mm. */
  readonly month: string;
  /** Their keys in the history table. */
  readonly keys: readonly string[];
  /** Whether DynamoDB may have deleted some because they expired. Otherwise an item that is missing was erased. */
  readonly mayHaveExpired: boolean;
}

export interface SliceDependencies {
  readonly objects: ArchiveObjects;
  /** Reads items of the history table. `consistent` sees every earlier write, for twice the price. */
  readItems(
    keys: readonly string[],
    options: { readonly consistent: boolean },
  ): Promise<ReadonlyMap<string, Item>>;
}

/** Thrown where items keep changing while they are archived; the next run repeats the slice. */
class UnsettledSliceError extends Error {
  override readonly name = 'UnsettledSliceError';
}

const concurrentObjects = 16;
const maxRounds = 6;

/**
 * Copies the items of a slice to the archive. It may be repeated, also after a crash at any point.
 *
 * An erasure may run at the same time: it deletes the items of a number from the table, then from the archive. So the items are read
 * again after they were written. Those that changed or are missing by then are written or removed again, until none has changed. Ids are
 * written first, so that a repeated slice knows where an earlier attempt put an item that is missing now.
 */
export async function storeSlice(slice: Slice, { objects, readItems }: SliceDependencies): Promise<void> {
  let keys = slice.keys;
  let items = await readItems(keys, { consistent: false });
  for (let round = 0; round < maxRounds; round++) {
    await writeItems({ ...slice, keys }, items, objects);
    const now = await readItems(keys, { consistent: true });
    keys = keys.filter((key) => versionOf(items.get(key)) !== versionOf(now.get(key)));
    if (keys.length === 0) return;
    items = now;
  }
  throw new UnsettledSliceError(`${keys.length} items changed ${maxRounds} times while they were archived`);
}

/** Returns what differs between two states of an item. Items of format 1 have no generation, or a text. */
function versionOf(item: Item | undefined): string {
  if (item === undefined) return '';
  return item.g?.B === undefined ? JSON.stringify(item) : Buffer.from(item.g.B).toString('hex');
}

async function writeItems(
  { month, keys, mayHaveExpired }: Slice,
  items: ReadonlyMap<string, Item>,
  objects: ArchiveObjects,
): Promise<void> {
  const present = new Map([...items].map(([pk, item]) => [pk, archivedItem(item)]));
  const handled = mayHaveExpired ? [...present.keys()] : keys;
  const shardOf = (pk: string) => {
    const archived = present.get(pk);
    return archived && shardOfNumber(archived.number);
  };

  /** The keys that each object of items had, or gets, a copy of. */
  const keysByShard = new Map<string, Set<string>>();
  await forEach(groupBy(handled, shardOfId), async ([shard, keysOfIds]) => {
    let ids: readonly ArchivedId[] = [];
    await objects.rewrite(objectName('ids', month, shard), (lines) => {
      const known = new Map(lines.map(readIdLine).map((id) => [id.pk, id.shards]));
      ids = keysOfIds.map((pk) => ({ pk, shards: union(known.get(pk), shardOf(pk)) }));
      for (const { pk, shards } of ids) if (shards.length > 0) known.set(pk, shards);
      return [...known].map(([pk, shards]) => idLine({ pk, shards })).sort();
    });
    for (const { pk, shards } of ids)
      for (const itemShard of shards) {
        const others = keysByShard.get(itemShard);
        if (others === undefined) keysByShard.set(itemShard, new Set([pk]));
        else others.add(pk);
      }
  });
  await forEach(keysByShard, ([shard, replaced]) =>
    objects.rewrite(objectName('items', month, shard), (lines) => {
      const kept = lines.filter((line) => !replaced.has(readItemLine(line).pk));
      const added = [...replaced].flatMap((pk): ArchivedItem[] => {
        const archived = present.get(pk);
        return archived !== undefined && shardOf(pk) === shard ? [archived] : [];
      });
      // Sorted, so that the same items make the same object.
      return [...kept, ...added.map(itemLine)].sort();
    }),
  );
}

/** Works on several values at a time. After a failure it waits for the rest, so that no write is left that would follow those of the next run. */
async function forEach<T>(values: Iterable<T>, work: (value: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  await pMap(
    values,
    async (value) => {
      try {
        await work(value);
      } catch (error) {
        errors.push(error);
      }
    },
    { concurrency: concurrentObjects },
  );
  if (errors.length > 0) throw errors[0];
}

function union(known: readonly string[] = [], shard: string | undefined): readonly string[] {
  return shard === undefined || known.includes(shard) ? known : [...known, shard];
}

function groupBy(keys: readonly string[], groupOf: (key: string) => string): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const group = groupOf(key);
    const others = groups.get(group);
    if (others === undefined) groups.set(group, [key]);
    else others.push(key);
  }
  return [...groups];
}
