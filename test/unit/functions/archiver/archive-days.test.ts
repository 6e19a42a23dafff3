import { describe, expect, it } from 'vitest';
import { createArchive } from '../../../../functions/archive/archive.ts';
import { type ArchiveState, archiveDays } from '../../../../functions/archiver/archive-days.ts';
import type { Item } from '../../../../functions/history/history-item-store.ts';
import { messageItem } from '../../../../functions/history/message-item.ts';
import { hourOf } from '../../../../functions/history/open-batch.ts';
import { deadlineAt } from '../../../../functions/runtime/basics.ts';
import { recorder } from '../../../../tools/support/recorder.ts';
import { memoryObjects } from '../../../support/fakes/archive-objects.ts';
import { report } from '../../../support/suites/reports.ts';

const dayMs = 86_400_000;
const start = Date.parse('2026-03-10T06:00:00.000Z');
const settings = { retentionDays: 60, worklistShards: 4 };

/** An archiver whose table has one message for each id, and notes of them by the hour. */
function archiver(notes: Record<string, readonly string[]>, first?: ArchiveState) {
  const objects = memoryObjects();
  const items = new Map<string, Item>();
  for (const id of Object.values(notes).flat())
    items.set(`message#${id}`, messageItem(report(id, 'e', 'sent', 1), Uint8Array.of(1), 0, settings));
  let saved = first;
  const counted = recorder();
  const run = async (now: number, afterDays = 30, time = dayMs) => {
    await archiveDays(
      {
        objects,
        readItems: async (keys) => new Map([...items].filter(([key]) => keys.includes(key))),
        noted: {
          state: async () => saved,
          save: async (state) => {
            saved = state;
          },
          async *keysOf(hour) {
            yield (notes[hour] ?? []).map((id) => `message#${id}`);
          },
        },
        afterDays,
        retentionDays: 100,
        clock: () => now,
        log: counted.log,
        count: counted.count,
      },
      deadlineAt(time, () => 0),
    );
    return saved;
  };
  const has = async (id: string) => (await createArchive(objects).copiesOf(`message#${id}`)).length > 0;
  return { run, has, items, objects, counts: counted.counts };
}

describe('the archiver', () => {
  it('archives a day as a whole, when its last hour is old enough', async () => {
    const { run, has } = archiver({ '2026-02-07T00': ['a'], '2026-02-07T23': ['b'], '2026-02-08T00': ['c'] });
    expect(await run(Date.parse('2026-03-09T23:59:59.000Z'))).toMatchObject({ next: '2026-02-07T00' });
    expect(await has('a')).toBe(false);
    expect(await run(start)).toEqual({ next: '2026-02-08T00', days: 30 });
    expect([await has('a'), await has('b'), await has('c')]).toEqual([true, true, false]);
  });

  it('catches up with the days that failed runs left', async () => {
    const { run, has } = archiver(
      { '2026-02-01T05': ['a'], '2026-02-07T05': ['b'] },
      { next: '2026-02-01T00', days: 30 },
    );
    expect(await run(start)).toMatchObject({ next: '2026-02-08T00' });
    expect([await has('a'), await has('b')]).toEqual([true, true]);
  });

  it('ends at the deadline, says so, and continues there', async () => {
    const { run, has, counts } = archiver({ '2026-02-07T05': ['a'] }, { next: '2026-02-07T00', days: 30 });
    expect(await run(start, 30, -1)).toMatchObject({ next: '2026-02-07T00' });
    expect(counts.get('archiveUnfinished')).toBe(1);
    await run(start);
    expect(await has('a')).toBe(true);
  });

  it('archives what was stored under a smaller setting after the smaller number of days, because it expires earlier', async () => {
    const { run, has } = archiver(
      { '2026-03-01T05': ['a'], '2026-03-10T09': ['b'] },
      { next: '2026-02-28T00', days: 7 },
    );
    expect(await run(start, 90)).toEqual({
      next: '2026-03-03T00',
      days: 90,
      earlier: { days: 7, until: '2026-03-10T07' },
    });
    expect(await has('a')).toBe(true);
    expect(await run(start + 40 * dayMs, 90)).toMatchObject({ next: '2026-03-10T07' });
    expect(await has('b')).toBe(false);
    await run(start + 91 * dayMs, 90);
    expect(await has('b')).toBe(true);
  });

  it('removes what is missing before it can have expired, and keeps it later', async () => {
    const state = { next: '2026-02-07T00', days: 30 };
    for (const [daysLate, isKept] of [
      [0, false],
      [30, true],
    ] as const) {
      const { run, has, items, objects } = archiver({ '2026-02-07T05': ['a'] }, state);
      await run(start);
      expect(await has('a')).toBe(true);
      items.clear();
      // A run that crashed before it saved its state is repeated.
      const repeated = archiver({ '2026-02-07T05': ['a'] }, state);
      for (const [name, lines] of objects.lines) repeated.objects.lines.set(name, lines);
      repeated.items.clear();
      await repeated.run(start + daysLate * dayMs);
      expect(await repeated.has('a')).toBe(isKept);
    }
  });

  it('deletes a month when the retention of all its days is over', async () => {
    const { run, objects } = archiver({}, { next: hourOf(start), days: 30 });
    for (const month of ['2025-11', '2025-12'])
      await objects.rewrite(`items/${month}/00.jsonl.gz`, () => ['x']);
    // 100 days before 10 March is 30 November.
    await run(start);
    expect(await objects.months('items')).toEqual(['2025-11', '2025-12']);
    await run(start + dayMs);
    expect(await objects.months('items')).toEqual(['2025-12']);
  });
});
