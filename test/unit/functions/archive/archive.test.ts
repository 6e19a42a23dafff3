import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArchive } from '../../../../functions/archive/archive.ts';
import { foldMessageCopies } from '../../../../functions/archive/archive-lines.ts';
import { storeSlice } from '../../../../functions/archiver/store-slice.ts';
import type { Item } from '../../../../functions/history/history-item-store.ts';
import { foldMessages, type Message, mergeMessages } from '../../../../functions/history/message.ts';
import { messageFromItem, messageItem } from '../../../../functions/history/message-item.ts';
import { packNumber } from '../../../../functions/history/packed.ts';
import { replyItem } from '../../../../functions/history/reply-item.ts';
import { memoryObjects } from '../../../support/fakes/archive-objects.ts';
import { assertProperty } from '../../../support/property.ts';
import { replied, report } from '../../../support/suites/reports.ts';

const settings = { retentionDays: 60, worklistShards: 4 };
const phone = '+12025550143';
let generation = 0;
const item = (message: Message): Item =>
  messageItem(message, Uint8Array.of(++generation % 256, generation >> 8), 0, settings);
const pk = 'message#msg-1';

/** A history table in memory. */
function table() {
  const items = new Map<string, Item>();
  return {
    items,
    readItems: async (keys: readonly string[]) =>
      new Map(keys.flatMap((key) => (items.has(key) ? [[key, items.get(key) ?? {}] as const] : []))),
  };
}

const statuses = ['accepted', 'sent', 'delivered', 'undelivered', 'unknown'] as const;

describe('a message', () => {
  it('has the same state in any order of reports, copies to the archive and expiry', () =>
    assertProperty(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({
              kind: fc.constant('report' as const),
              status: fc.constantFrom(...statuses),
              event: fc.integer({ min: 1, max: 4 }),
              second: fc.integer({ min: 0, max: 40 }),
              hasPhone: fc.boolean(),
            }),
            fc.record({ kind: fc.constant('archive' as const) }),
            fc.record({ kind: fc.constant('expire' as const) }),
          ),
          { minLength: 1, maxLength: 12 },
        ),
        async (steps) => {
          const { items, readItems } = table();
          const objects = memoryObjects();
          const views: Message[] = [];
          // An item expires 31 days or more after it was noted, so what follows is in another month.
          let month = 1;
          const monthText = () => `2026-${String(month).padStart(2, '0')}`;
          const archiveNow = () =>
            storeSlice({ month: monthText(), keys: [pk], mayHaveExpired: false }, { objects, readItems });
          for (const step of steps) {
            if (step.kind === 'report') {
              const { status, event, second, hasPhone } = step;
              const view = report('msg-1', `e${event}`, status, second, hasPhone ? { phone } : {});
              views.push(view);
              const known = items.get(pk);
              items.set(pk, item(known === undefined ? view : mergeMessages(messageFromItem(known), view)));
            } else {
              await archiveNow();
              if (step.kind !== 'expire') continue;
              items.delete(pk);
              month += 1;
            }
          }
          const copies = await createArchive(objects).copiesOf(pk);
          const known = items.get(pk);
          const answer = foldMessageCopies(known === undefined ? copies : [known, ...copies]);
          const [first, ...others] = views;
          expect(answer).toEqual(first && foldMessages([first, ...others]));
        },
      ),
    ));
});

describe('an archive', () => {
  const reply = replyItem(replied('r-1', 'e-9', 5), Uint8Array.of(9), 0, settings);
  const others = ['msg-2', 'msg-3'].map((id) => item(report(id, 'e', 'sent', 1, { phone: '+12025550199' })));
  const own = item(report('msg-1', 'e', 'sent', 1, { phone }));
  const silent = item(report('msg-4', 'e', 'sent', 1));

  async function filled() {
    const { items, readItems } = table();
    for (const one of [reply, own, silent, ...others]) items.set(one.pk?.S ?? '', one);
    const objects = memoryObjects();
    const keys = [...items.keys()];
    for (const month of ['2026-01', '2026-02'])
      await storeSlice({ month, keys, mayHaveExpired: false }, { objects, readItems });
    return { archive: createArchive(objects), objects };
  }

  it('returns items by id and by number, without what only the table needs', async () => {
    const { archive } = await filled();
    const { expiresAt: _, worklist: _w, listedAt: _l, ...kept } = own;
    expect(await archive.copiesOf(pk)).toEqual([kept, kept]);
    expect(await archive.copiesOf('message#msg-4')).toHaveLength(2);
    expect(await archive.copiesOf('message#unknown')).toEqual([]);
    const found = await archive.copiesOfNumbers([packNumber(phone)]);
    expect([...found.keys()].toSorted()).toEqual([pk, 'reply#r-1']);
    expect(found.get('reply#r-1')).toHaveLength(2);
    const latest = await archive.copiesOfNumbers([packNumber(phone)], '2026-02-03T00:00:00.000Z');
    expect(latest.get(pk)).toHaveLength(1);
  });

  it('forgets a number in all months, and nothing else', async () => {
    const { archive, objects } = await filled();
    expect([...(await archive.removeNumbers([packNumber(phone)]))].toSorted()).toEqual([pk, 'reply#r-1']);
    expect(await archive.copiesOf(pk)).toEqual([]);
    expect(await archive.copiesOf('message#msg-2')).toHaveLength(2);
    expect(await archive.copiesOf('message#msg-4')).toHaveLength(2);
    const texts = [...objects.lines].flatMap(([name, lines]) => (name.startsWith('items') ? lines : []));
    expect(texts.join()).not.toContain('msg-1');
    expect(await archive.removeNumbers([packNumber(phone)])).toEqual(new Set());
  });
});
