import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareEntriesByTime, mergeByTime, type Source } from '../../../../functions/lists/merge-by-time.ts';
import type { Entry } from '../../../../functions/lists/read-page.ts';
import { assertProperty } from '../../../support/property.ts';

interface Numbered extends Entry {
  readonly source: number;
}

const time = (second: number) => new Date(second * 1000).toISOString();

/** Reads entries newest first, so many at a time. */
function sourceOf(entries: readonly Numbered[], size: number, onRead: () => void): Source<Numbered> {
  const ordered = entries.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  let read = 0;
  return async () => {
    onRead();
    const chunk = ordered.slice(read, read + size);
    read += size;
    return { entries: chunk, readTo: read < ordered.length ? (chunk.at(-1)?.at ?? '') : '' };
  };
}

const entries = (source: number) =>
  fc.uniqueArray(
    fc.record({ at: fc.nat(6).map(time), key: fc.constantFrom('a', 'b', 'c'), source: fc.constant(source) }),
    { selector: ({ at, key }) => `${at} ${key}` },
  );

it('sources are read as one list in one order, each entry once, the preferred one of equal ones', async () => {
  const sources = fc
    .integer({ min: 1, max: 4 })
    .chain((count) =>
      fc.tuple(
        fc.tuple(...Array.from({ length: count }, (_, number) => entries(number))),
        fc.integer({ min: 1, max: 3 }),
      ),
    );
  await assertProperty(
    fc.asyncProperty(sources, async ([all, size]) => {
      const merged: Numbered[] = [];
      const read = all.map((each) => sourceOf(each, size, () => undefined));
      const prefer = (a: Numbered, b: Numbered) => (a.source < b.source ? a : b);
      for await (const entry of mergeByTime(read, prefer)) merged.push(entry);
      const expected = new Map<string, Numbered>();
      for (const entry of all.flat()) {
        const name = `${entry.at} ${entry.key}`;
        const other = expected.get(name);
        expected.set(name, other === undefined ? entry : prefer(other, entry));
      }
      expect(merged).toEqual([...expected.values()].sort(compareEntriesByTime));
    }),
  );
});

it('a source is read only as far as needed', async () => {
  const reads = [0, 0];
  const sources = [0, 1].map((source) =>
    sourceOf(
      Array.from({ length: 100 }, (_, second) => ({
        at: time(second - 200 * source),
        key: 'k',
        source,
      })),
      10,
      () => {
        reads[source] = (reads[source] ?? 0) + 1;
      },
    ),
  );
  const merged = mergeByTime(sources, (a) => a);
  for (let taken = 0; taken < 25; taken++) await merged.next();
  expect(reads).toEqual([3, 1]);
});
