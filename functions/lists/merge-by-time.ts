import type { Entry } from './read-page.ts';

/** A part of a source, in any order. */
interface Chunk<E extends Entry> {
  readonly entries: readonly E[];
  /** Every entry of the source that is later than this has been read; an empty text after the last chunk. ISO 8601 in UTC. */
  readonly readTo: string;
}

/** Reads the next chunk of a source, newest first. It is not called after the last one. */
export type Source<E extends Entry> = () => Promise<Chunk<E>>;

/** Orders entries newest first, and those of one time by key. */
export function compareEntriesByTime(a: Entry, b: Entry): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

/**
 * Reads sources as one list without repeats, in the order of {@link compareEntriesByTime}. The order depends on the entries alone, so an
 * entry keeps its place while it moves from one source to another. Each source is read only as far as needed.
 *
 * @param prefer returns which of two equal entries to keep
 */
export async function* mergeByTime<E extends Entry>(
  sources: readonly Source<E>[],
  prefer: (a: E, b: E) => E,
): AsyncGenerator<E, void> {
  let heads = sources.map((next) => ({ next, readTo: '' }));
  let waiting = new Map<string, E>();
  while (heads.length > 0) {
    const furthestBehind = newestOf(heads);
    heads = await Promise.all(
      heads.map(async (head) => {
        if (head.readTo !== furthestBehind) return head;
        const { entries, readTo } = await head.next();
        for (const entry of entries) {
          const name = `${entry.at} ${entry.key}`;
          const other = waiting.get(name);
          waiting.set(name, other === undefined ? entry : prefer(other, entry));
        }
        return { ...head, readTo };
      }),
    );
    heads = heads.filter(({ readTo }) => readTo !== '');
    const complete = newestOf(heads);
    const all = [...waiting].sort(([, a], [, b]) => compareEntriesByTime(a, b));
    const end = all.findIndex(([, { at }]) => at <= complete);
    const ready = end === -1 ? all : all.slice(0, end);
    for (const [, entry] of ready) yield entry;
    waiting = new Map(all.slice(ready.length));
  }
}

function newestOf(heads: readonly { readonly readTo: string }[]): string {
  const times = heads.map(({ readTo }) => readTo).sort();
  return times.at(-1) ?? '';
}
