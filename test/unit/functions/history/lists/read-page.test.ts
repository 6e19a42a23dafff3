import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CursorError } from '../../../../../functions/history/lists/cursor.ts';
import {
  type Entry,
  type Loaded,
  type PartitionedList,
  readPage,
  type Stretch,
} from '../../../../../functions/history/lists/read-page.ts';
import { assertProperty } from '../../../../support/property.ts';

const noon = Date.parse('2026-01-15T12:00:00.000Z');
const at = (ms: number) => new Date(noon + ms).toISOString();

/** Partitions in memory that answer as DynamoDB does: entries of one time in an order of their own, which turns with that of the times. */
function memory(partitions: readonly (readonly Entry[])[], isOldestFirst = false) {
  const sign = isOldestFirst ? -1 : 1;
  const reads: Stretch[] = [];
  const sorted = partitions.map((entries) =>
    [...entries].sort((a, b) => sign * (a.at === b.at ? orderOf(a) - orderOf(b) : a.at < b.at ? 1 : -1)),
  );
  async function read(stretch: Stretch): Promise<readonly Entry[]> {
    reads.push(stretch);
    const { partition, from, to, after, limit } = stretch;
    const isBehind = (entry: Entry) =>
      after === undefined ||
      (isOldestFirst ? entry.at > after.at : entry.at < after.at) ||
      (entry.at === after.at && sign * (orderOf(entry) - orderOf(after)) > 0);
    return (sorted[Number(partition)] ?? [])
      .filter((entry) => entry.at >= from && entry.at <= to && isBehind(entry))
      .slice(0, limit);
  }
  return { reads, read };
}

/** Neither that of insertion nor that of the keys. */
function orderOf({ key }: Entry): number {
  return [...key].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1009, 7);
}

const all = (partitions: number) => Array.from({ length: partitions }, (_, number) => String(number));
const load = async (entries: readonly Entry[]) => entries.map(({ key }) => ({ value: key, bytes: 1 }));

async function readAll(
  list: PartitionedList<Entry>,
  limit: number,
  loadEntries: (entries: readonly Entry[]) => Promise<(Loaded<string> | undefined)[]> = load,
) {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(
      { list, identity: ['test'], load: loadEntries },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    pages.push(page.entries);
    cursor = page.next;
  } while (cursor !== undefined && pages.length < 10_000);
  return pages;
}

const entriesOf = (milliseconds: readonly number[], prefix: string): Entry[] =>
  milliseconds.map((ms, index) => ({ at: at(ms), key: `${prefix}${index}` }));

describe('the pages of a list in several partitions', () => {
  it('together show the whole list, each entry once, newest first or oldest first', async () => {
    // Few times, so that many entries share one.
    const partition = fc.array(fc.nat(12), { maxLength: 30 });
    await assertProperty(
      fc.asyncProperty(
        fc.array(partition, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (times, limit, isOldestFirst) => {
          const partitions = times.map((milliseconds, number) => entriesOf(milliseconds, `${number}-`));
          const { read } = memory(partitions, isOldestFirst);
          const groups = [{ partitions: all(times.length), from: at(0), to: at(12) }];
          const pages = await readAll({ groups, read, isOldestFirst }, limit);
          const keys = pages.flat();
          const timeOf = new Map(partitions.flat().map((entry) => [entry.key, entry.at]));
          expect([...keys].sort()).toEqual([...timeOf.keys()].sort());
          const ordered = keys.map((key) => timeOf.get(key) ?? '');
          const oldestFirst = [...ordered].sort();
          expect(ordered).toEqual(isOldestFirst ? oldestFirst : oldestFirst.reverse());
          for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
        },
      ),
    );
  });

  it('read groups one after the other', async () => {
    const { read } = memory([entriesOf([11, 12], 'new-'), [], entriesOf([1, 2], 'old-')]);
    const group = (partition: number, from: number) => ({
      partitions: [String(partition)],
      from: at(from),
      to: at(from + 9),
    });
    const groups = [group(0, 10), group(1, 5), group(2, 0)];
    expect(await readAll({ groups, read }, 1)).toEqual([['new-1'], ['new-0'], ['old-1'], ['old-0']]);
    expect(await readAll({ groups, read }, 2)).toEqual([
      ['new-1', 'new-0'],
      ['old-1', 'old-0'],
    ]);
  });

  it('continue after the last entry of a page was deleted', async () => {
    const before = memory([entriesOf([1, 2, 3], 'a')]);
    const groups = [{ partitions: ['0'], from: at(0), to: at(9) }];
    const first = await readPage({ list: { groups, read: before.read }, identity: [], load }, { limit: 2 });
    const { read } = memory([entriesOf([1], 'a')]);
    const request = { limit: 2, cursor: first.next ?? '' };
    expect(await readPage({ list: { groups, read }, identity: [], load }, request)).toEqual({
      entries: ['a0'],
    });
  });

  it('continue when partitions were added', async () => {
    const { read } = memory([entriesOf([1, 3], 'a'), entriesOf([2, 4], 'b')]);
    const few = [{ partitions: all(1), from: at(0), to: at(9) }];
    const { next = '' } = await readPage({ list: { groups: few, read }, identity: [], load }, { limit: 1 });
    const more = [{ partitions: all(2), from: at(0), to: at(9) }];
    const rest = await readPage(
      { list: { groups: more, read }, identity: [], load },
      { limit: 9, cursor: next },
    );
    expect(rest.entries).toEqual(['b0', 'a0']);
  });
});

describe('a page of a list', () => {
  it('leaves out entries that the filter excludes, and fills up with later ones', async () => {
    const { read } = memory([entriesOf([1, 2, 3, 4, 5, 6], 'a')]);
    const groups = [{ partitions: ['0'], from: at(0), to: at(9) }];
    const even = async (entries: readonly Entry[]) =>
      entries.map(({ key }) => (/[024]$/.test(key) ? { value: key, bytes: 1 } : undefined));
    expect(await readAll({ groups, read }, 2, even)).toEqual([['a4', 'a2'], ['a0']]);
  });

  it('ends after a thousand entries that the filter excludes, and the next page continues', async () => {
    const { read } = memory([entriesOf([...Array(2500).keys()], 'a')]);
    const groups = [{ partitions: ['0'], from: at(0), to: at(9999) }];
    const last = async (entries: readonly Entry[]) =>
      entries.map(({ key }) => (key === 'a0' ? { value: key, bytes: 1 } : undefined));
    const pages = await readAll({ groups, read }, 100, last);
    expect(pages).toEqual([[], [], ['a0']]);
    const page = await readPage({ list: { groups, read }, identity: [], load: last }, { limit: 100 });
    expect(page).toMatchObject({ entries: [], searchedTo: at(1500), next: expect.any(String) });
  });

  it('that is full says nothing about how far it looked', async () => {
    const { read } = memory([entriesOf([1, 2, 3], 'a')]);
    const groups = [{ partitions: ['0'], from: at(0), to: at(9) }];
    const page = await readPage({ list: { groups, read }, identity: [], load }, { limit: 2 });
    expect(Object.keys(page)).toEqual(['entries', 'next']);
  });

  it('ends after 640 partitions without entries, and the next page continues', async () => {
    const { read, reads } = memory([entriesOf([1], 'a'), []]);
    const groups = Array.from({ length: 101 }, (_, number) => ({
      partitions: Array(16)
        .fill(number === 100 ? '0' : '1')
        .fill('1', 1),
      from: at((100 - number) * 10),
      to: at((100 - number) * 10 + 9),
    }));
    expect(await readAll({ groups, read }, 5)).toEqual([[], [], ['a0']]);
    // One group is opened again by each page that goes on, and found to be over.
    expect(reads.length).toBeLessThanOrEqual(103 * 16);
  });

  it('of one entry reads far fewer than a thousand entries at once', async () => {
    const { read, reads } = memory([entriesOf([...Array(2500).keys()], 'a')]);
    const list = { groups: [{ partitions: ['0'], from: at(0), to: at(9999) }], read };
    let loads = 0;
    const last = async (entries: readonly Entry[]) => {
      loads += 1;
      return entries.map(({ key }) => (key === 'a1600' ? { value: key, bytes: 1 } : undefined));
    };
    const page = await readPage({ list, identity: [], load: last }, { limit: 1 });
    expect(page.entries).toEqual(['a1600']);
    expect(loads).toBeLessThanOrEqual(20);
    expect(reads.length).toBeLessThanOrEqual(21);
    // What was looked at behind it is not left out of the next page.
    const wanted = async (entries: readonly Entry[]) => entries.map(({ key }) => ({ value: key, bytes: 1 }));
    const next = await readPage({ list, identity: [], load: wanted }, { limit: 1, cursor: page.next ?? '' });
    expect(next.entries).toEqual(['a1599']);
  });

  it('ends at its maximum size, and the next page begins after its last entry', async () => {
    const { read } = memory([entriesOf([1, 2, 3, 4], 'a')]);
    const groups = [{ partitions: ['0'], from: at(0), to: at(9) }];
    const large = async (entries: readonly Entry[]) =>
      entries.map(({ key }) => ({ value: key, bytes: 2_000_000 }));
    expect(await readAll({ groups, read }, 10, large)).toEqual([['a3', 'a2'], ['a1', 'a0'], []]);
  });

  it('reads about as much of each partition as it needs', async () => {
    const partitions = Array.from({ length: 16 }, (_, number) =>
      entriesOf([...Array(100).keys()], `${number}-`),
    );
    const { read, reads } = memory(partitions);
    await readPage(
      { list: { groups: [{ partitions: all(16), from: at(0), to: at(999) }], read }, identity: [], load },
      { limit: 50 },
    );
    expect(reads).toHaveLength(16);
    for (const { limit } of reads) expect(limit).toBe(8);
  });

  it('reports that the database rejects the position, and passes every other error on', async () => {
    const groups = [{ partitions: ['0'], from: at(0), to: at(9) }];
    const { read } = memory([entriesOf([1, 2], 'a')]);
    const { next = '' } = await readPage({ list: { groups, read }, identity: [], load }, { limit: 1 });
    const refusing = (name: string) => async () => {
      throw Object.assign(new Error('refused'), { name });
    };
    const ask = (name: string, cursor?: string) =>
      readPage(
        { list: { groups, read: refusing(name) }, identity: [], load },
        { limit: 1, ...(cursor === undefined ? {} : { cursor }) },
      );
    await expect(ask('ValidationException', next)).rejects.toThrow(CursorError);
    await expect(ask('ThrottlingException', next)).rejects.toThrow('refused');
    await expect(ask('ValidationException')).rejects.toThrow('refused');
  });
});
