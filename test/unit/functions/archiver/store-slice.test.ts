import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArchive } from '../../../../functions/archive/archive.ts';
import { storeSlice } from '../../../../functions/archiver/store-slice.ts';
import type { Item } from '../../../../functions/history/history-item-store.ts';
import { mergeMessages } from '../../../../functions/history/message.ts';
import { messageFromItem, messageItem } from '../../../../functions/history/message-item.ts';
import { packNumber } from '../../../../functions/history/packed.ts';
import { memoryObjects, type Turn } from '../../../support/fakes/archive-objects.ts';
import { assertProperty } from '../../../support/property.ts';
import { report } from '../../../support/suites/reports.ts';

const phone = '+12025550143';
const settings = { retentionDays: 60, worklistShards: 4 };
const own = 'message#msg-1';
const other = 'message#msg-2';
const slice = { month: '2026-01', keys: [own, other], mayHaveExpired: false };

/** A table with a message of the person who is erased, and one of another person. */
function tables(turn: Turn) {
  let writes = 0;
  const items = new Map<string, Item>();
  const put = (id: string, event: string, number: string) => {
    const view = report(id, event, 'sent', 1, { phone: number });
    const key = `message#${id}`;
    const known = items.get(key);
    const message = known === undefined ? view : mergeMessages(messageFromItem(known), view);
    items.set(key, messageItem(message, Uint8Array.of(++writes), 0, settings));
  };
  put('msg-1', 'before', phone);
  put('msg-2', 'before', '+12025550199');
  return {
    items,
    put,
    async readItems(keys: readonly string[], { consistent }: { readonly consistent: boolean }) {
      // A read that is not consistent may return what was there some time before.
      const seen = new Map(items);
      await turn('get');
      const now = consistent ? items : seen;
      return new Map(keys.flatMap((key) => (now.has(key) ? [[key, now.get(key) ?? {}] as const] : [])));
    },
  };
}

class CrashError extends Error {}

/** How the archiver's run ends early: one call fails, or none follows. */
const ends = ['fails', 'is killed'] as const;
const crashes = [undefined, ...Array.from({ length: 14 }, (_, calls) => calls + 1)];

describe('an erasure while the archiver runs', () => {
  it.each(ends.flatMap((end) => crashes.map((after) => ({ end, after }))))(
    'leaves nothing of the person in any order of their calls, where a run $end at call $after',
    ({ end, after }) =>
      assertProperty(
        fc.asyncProperty(fc.scheduler(), fc.boolean(), fc.boolean(), async (s, isArchived, hasLateReport) => {
          const turn: Turn = (call) => s.schedule(Promise.resolve(), call);
          const objects = memoryObjects(turn);
          const { items, put, readItems } = tables(turn);
          const archive = createArchive(objects);
          const stored = { objects, readItems };

          async function archiver(): Promise<void> {
            let calls = 0;
            const failing = memoryObjects(async (call) => {
              calls += 1;
              const crash = after ?? Number.POSITIVE_INFINITY;
              if (calls > crash && end === 'is killed') throw new CrashError();
              await turn(call);
              if (calls === crash) throw new CrashError();
            }, objects.lines);
            try {
              await storeSlice(slice, { objects: failing, readItems });
            } catch (error) {
              if (!(error instanceof CrashError)) throw error;
              // The next run repeats the slice.
              await storeSlice(slice, stored);
            }
          }
          async function erasure(): Promise<void> {
            await turn('delete');
            items.delete(own);
            await archive.removeNumbers([packNumber(phone)]);
          }
          async function lateReport(): Promise<void> {
            await turn('put');
            // Before the erasure it would be erased with the rest.
            put('msg-1', 'late', phone);
          }

          if (isArchived) await s.waitFor(storeSlice(slice, stored));
          await s.waitFor(
            Promise.all([archiver(), erasure(), ...(hasLateReport ? [lateReport()] : [])]).then(() => {}),
          );
          const copies = await s.waitFor(archive.copiesOf(own));
          const events = copies.flatMap((copy) => [...messageFromItem(copy).events.keys()]);
          expect(events).not.toContain('before');
          expect(await s.waitFor(archive.copiesOf(other))).toHaveLength(1);
        }),
        { numRuns: 40 },
      ),
  );
});

describe('a slice', () => {
  it('may be repeated, and moves an item whose number became known', async () => {
    const objects = memoryObjects();
    const { items, readItems } = tables(async () => {});
    items.set(own, messageItem(report('msg-1', 'e1', 'sent', 1), Uint8Array.of(100), 0, settings));
    await storeSlice(slice, { objects, readItems });
    const before = new Map(objects.lines);
    await storeSlice(slice, { objects, readItems });
    expect(objects.lines).toEqual(before);

    const known = report('msg-1', 'e1', 'sent', 1, { phone });
    items.set(own, messageItem(known, Uint8Array.of(101), 0, settings));
    await storeSlice(slice, { objects, readItems });
    const archive = createArchive(objects);
    expect(await archive.copiesOf(own)).toHaveLength(1);
    expect(await archive.removeNumbers([packNumber(phone)])).toEqual(new Set([own]));
    expect(await archive.copiesOf(own)).toEqual([]);
  });

  it('keeps what is archived of items that may have expired', async () => {
    const objects = memoryObjects();
    const { items, readItems } = tables(async () => {});
    await storeSlice(slice, { objects, readItems });
    items.clear();
    await storeSlice({ ...slice, mayHaveExpired: true }, { objects, readItems });
    expect(await createArchive(objects).copiesOf(own)).toHaveLength(1);
  });

  it('fails where items keep changing, so that the next run repeats it', async () => {
    const { readItems, put } = tables(async () => {});
    const changing = async (...args: Parameters<typeof readItems>) => {
      put('msg-1', 'again', phone);
      return readItems(...args);
    };
    const run = storeSlice(slice, { objects: memoryObjects(), readItems: changing });
    await expect(run).rejects.toThrow('1 items changed 6 times');
  });
});
