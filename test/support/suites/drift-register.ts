import { describe, expect, it } from 'vitest';
import type { ReadDriftDays } from '../../../cli/stores/history-tables.ts';
import {
  maxMismatchesOfSource,
  maxMismatchesPerDay,
  mismatchId,
  type NotedMismatch,
} from '../../../contract/drift/drift-watch.ts';
import type { DriftRegister } from '../../../functions/history/drift-store.ts';

const mismatch = (word: string, day: number, shape = 'x'.repeat(4000)): NotedMismatch => ({
  kind: 'status',
  field: 'statuses',
  expected: 'a listed word',
  found: 'string',
  word,
  shape,
  foundAt: new Date(Date.UTC(2026, 0, day, 12)).toISOString(),
});

/** What the register of contract mismatches promises. @param start is called once */
export function driftRegisterSuite(
  name: string,
  start: () => Promise<DriftRegister & { readonly read: ReadDriftDays }>,
): void {
  describe(`the drift register: ${name}`, () => {
    it('keeps the first form of each mismatch once a day, up to the limit, with any number of writers', async () => {
      const { note, count, read } = await start();
      await note(mismatch('first', 15));
      const others = Array.from({ length: maxMismatchesOfSource + 5 }, (_, index) =>
        mismatch(`word${index}`, 15),
      );
      await Promise.all([...others, ...others].map(note));
      await note(mismatch('first', 15, 'later'));
      await note(mismatch('first', 16));
      const ofBackup = Array.from({ length: 20 }, (_, index) => ({
        ...mismatch(`word${index}`, 15),
        source: 'backup',
      }));
      for (const one of ofBackup) await note(one);
      const days = new Map(
        (await read(['2026-01-14', '2026-01-15', '2026-01-16'])).map(({ day, mismatches }) => [
          day,
          mismatches,
        ]),
      );
      expect([...days.keys()].sort()).toEqual(['2026-01-15', '2026-01-16']);
      // One source leaves room for some of the others.
      const sources = [...(days.get('2026-01-15')?.values() ?? [])].map(({ source }) => source);
      expect(sources.filter((source) => source === undefined)).toHaveLength(maxMismatchesOfSource);
      expect(sources).toHaveLength(maxMismatchesPerDay);
      for (const day of [15, 16]) {
        expect(days.get(`2026-01-${day}`)?.get(mismatchId(mismatch('first', day)))).toEqual(
          mismatch('first', day),
        );
        const first = mismatch('first', day);
        // The counts of several instances add up.
        await count(`2026-01-${day}`, new Map([[mismatchId(first), 2]]));
        await count(`2026-01-${day}`, new Map([[mismatchId(first), 3]]));
        const [counted] = await read([`2026-01-${day}`]);
        expect(counted?.mismatches.get(mismatchId(first))).toEqual({ ...first, events: 5 });
      }
    });
  });
}
