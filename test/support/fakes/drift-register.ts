import {
  type DriftDay,
  maxMismatchesOfSource,
  maxMismatchesPerDay,
  mismatchId,
  type NotedMismatch,
} from '../../../contract/drift/drift-watch.ts';
import type { DriftRegister } from '../../../functions/history/drift-store.ts';

/** The days of mismatches in memory. */
export function memoryDriftRegister() {
  const days = new Map<string, Map<string, NotedMismatch>>();
  const register: DriftRegister = {
    async note(mismatch) {
      const day = mismatch.foundAt.slice(0, 10);
      const mismatches = days.get(day) ?? new Map<string, NotedMismatch>();
      const id = mismatchId(mismatch);
      const ofSource = [...mismatches.values()].filter(({ source }) => source === mismatch.source);
      const isFull = mismatches.size >= maxMismatchesPerDay || ofSource.length >= maxMismatchesOfSource;
      if (!mismatches.has(id) && !isFull) mismatches.set(id, mismatch);
      days.set(day, mismatches);
    },
    async count(day, events) {
      const mismatches = days.get(day);
      for (const [id, number] of events) {
        const known = mismatches?.get(id);
        if (known !== undefined) mismatches?.set(id, { ...known, events: (known.events ?? 0) + number });
      }
    },
  };
  const read = async (asked: readonly string[]): Promise<DriftDay[]> =>
    asked.flatMap((day) => {
      const mismatches = days.get(day);
      return mismatches === undefined ? [] : [{ day, mismatches }];
    });
  return { ...register, read };
}
