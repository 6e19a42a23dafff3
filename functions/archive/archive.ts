import pMap from 'p-map';
import type { Item } from '../history/history-item-store.ts';
import {
  idMark,
  monthOf,
  numberMark,
  type ObjectKind,
  objectName,
  readIdLine,
  readItemLine,
  shardOfId,
  shardOfNumber,
} from './archive-lines.ts';

/** The objects of the archive, as lines. */
export interface ArchiveObjects {
  /** Returns the months that have objects of a kind, oldest first. */
  months(kind: ObjectKind): Promise<readonly string[]>;
  /** Returns the lines of an object; none where there is no object. */
  read(name: string): Promise<readonly string[]>;
  /** Replaces the lines of an object. A change is repeated if another writer has changed the object meanwhile. */
  rewrite(name: string, change: (lines: readonly string[]) => readonly string[]): Promise<void>;
  /** Deletes all objects of a month. */
  removeMonth(month: string): Promise<void>;
}

/** Answers from the archive. */
export interface Archive {
  /** Returns the copies of an item, in no order. @param pk its key in the history table */
  copiesOf(pk: string): Promise<readonly Item[]>;
  /**
   * Returns the copies of all items of numbers, by key.
   *
   * @param numbers packed keys
   * @param since ISO 8601; without items that were noted in an earlier month
   */
  copiesOfNumbers(
    numbers: readonly Uint8Array[],
    since?: string,
  ): Promise<ReadonlyMap<string, readonly Item[]>>;
  /** Removes all items of numbers. @returns their keys */
  removeNumbers(numbers: readonly Uint8Array[]): Promise<ReadonlySet<string>>;
}

/** Objects that are read at the same time. */
const concurrentReads = 16;

export function createArchive(objects: ArchiveObjects): Archive {
  /** Returns the names of the objects with items of numbers. */
  async function objectsOf(numbers: readonly Uint8Array[], since = ''): Promise<readonly string[]> {
    const shards = [...new Set(numbers.map(shardOfNumber))];
    const months = (await objects.months('items')).filter((month) => month >= monthOf(since));
    return months.flatMap((month) => shards.map((shard) => objectName('items', month, shard)));
  }

  const readAll = async (names: readonly string[]) =>
    (await pMap(names, objects.read, { concurrency: concurrentReads })).flat();

  return {
    async copiesOf(pk) {
      const months = await objects.months('ids');
      const found = await pMap(
        months,
        async (month) => {
          const lines = await objects.read(objectName('ids', month, shardOfId(pk)));
          const line = lines.find((one) => one.startsWith(idMark(pk)));
          return line === undefined
            ? []
            : readIdLine(line).shards.map((shard) => objectName('items', month, shard));
        },
        { concurrency: concurrentReads },
      );
      // The key follows the number, which has no quotation mark.
      const mark = `",${JSON.stringify(pk)},`;
      const lines = (await readAll(found.flat())).filter((line) => line.includes(mark));
      return lines.map(readItemLine).flatMap((one) => (one.pk === pk ? [one.item] : []));
    },

    async copiesOfNumbers(numbers, since) {
      const marks = numbers.map(numberMark);
      const copies = new Map<string, Item[]>();
      for (const line of await readAll(await objectsOf(numbers, since))) {
        if (!marks.some((mark) => line.startsWith(mark))) continue;
        const { pk, item } = readItemLine(line);
        const known = copies.get(pk);
        if (known === undefined) copies.set(pk, [item]);
        else known.push(item);
      }
      return copies;
    },

    async removeNumbers(numbers) {
      const marks = numbers.map(numberMark);
      const isOfNumber = (line: string) => marks.some((mark) => line.startsWith(mark));
      const removed = new Set<string>();
      await pMap(
        await objectsOf(numbers),
        async (name) => {
          if (!(await objects.read(name)).some(isOfNumber)) return;
          await objects.rewrite(name, (lines) => {
            for (const line of lines.filter(isOfNumber)) removed.add(readItemLine(line).pk);
            return lines.filter((line) => !isOfNumber(line));
          });
        },
        { concurrency: concurrentReads },
      );
      return removed;
    },
  };
}
