import type { Archive } from '../archive/archive.ts';
import { foldCopies } from '../archive/archive-lines.ts';
import type { Item } from '../history/history-item-store.ts';
import type { TimelineEntry } from '../history/message.ts';
import type { Entry, Stretch } from './read-page.ts';

/** Names the archive among the partitions of a timeline. */
export const archivePartition = 'archive';

/** The archived part of a number's timeline. */
export interface ArchivedTimeline {
  /** Reads a part of it, newest first. Fewer entries than the limit mean its end. */
  read(stretch: Stretch): Promise<readonly Entry[]>;
  /** Joins an item of the table with its copies in the archive; undefined where neither has it. */
  join(pk: string, item: Item | undefined): TimelineEntry | undefined;
}

/**
 * Reads the archived items of a number, all at once: they are in one object a month.
 *
 * @param numbers packed keys of the number
 * @param since ISO 8601
 * @param readItems reads items of the history table
 */
export async function readArchivedTimeline(
  archive: Archive,
  numbers: readonly Uint8Array[],
  since: string | undefined,
  readItems: (keys: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
): Promise<ArchivedTimeline> {
  const copies = await archive.copiesOfNumbers(numbers, since);
  const entries = [...copies]
    .flatMap(([key, items]) => {
      const entry = foldCopies(items);
      return entry === undefined ? [] : [{ at: timeOf(entry), key }];
    })
    .sort(newestFirst);
  const isOfNumber = (item: Item | undefined) =>
    item?.n?.B !== undefined && numbers.some((number) => Buffer.compare(number, item.n?.B ?? number) === 0);

  return {
    async read({ from, to, after, limit }) {
      const rest = entries.filter(
        (entry) =>
          entry.at >= from && entry.at <= to && (after === undefined || newestFirst(entry, after) > 0),
      );
      const found: Entry[] = [];
      for (let begin = 0; begin < rest.length && found.length < limit; begin += limit) {
        const chunk = rest.slice(begin, begin + limit);
        const items = await readItems(chunk.map(({ key }) => key));
        // The timeline has the others by the index of the table.
        found.push(...chunk.filter(({ key }) => !isOfNumber(items.get(key))));
      }
      return found.slice(0, limit);
    },

    join(pk, item) {
      const all = [...(item === undefined ? [] : [item]), ...(copies.get(pk) ?? [])];
      return foldCopies(all);
    },
  };
}

function timeOf(entry: TimelineEntry): string {
  return entry.kind === 'message' ? entry.message.firstSeenAt : entry.reply.standing.occurredAt;
}

function newestFirst(a: Entry, b: Entry): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  return a.key === b.key ? 0 : a.key < b.key ? -1 : 1;
}
