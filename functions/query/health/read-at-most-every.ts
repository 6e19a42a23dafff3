import type { Clock } from '../../base/basics.ts';

/** Returns a function that reads again once the last value is this old. Reads that come together share one. */
export function readAtMostEvery<T>(freshMs: number, read: () => Promise<T>, clock: Clock): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = clock();
    if (last === undefined || now - last.at >= freshMs) last = { at: now, value: read() };
    return last.value;
  };
}
