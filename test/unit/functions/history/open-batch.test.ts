import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageKey } from '../../../../functions/history/history-item-store.ts';
import type { Message } from '../../../../functions/history/message.ts';
import {
  endOfHour,
  hourOf,
  maxSpanMs,
  newestIn,
  openBatchItems,
  openMessagesOf,
  openPartitionsOf,
} from '../../../../functions/history/open-batch.ts';
import { sizeOf } from '../../../../tools/support/write-rules.ts';
import { assertProperty } from '../../../support/property.ts';
import { report } from '../../../support/suites/reports.ts';

const now = Date.parse('2026-01-15T12:59:59.999Z');
const newId = () => Uint8Array.of(7, 1, 2, 3, 4, 5);
const ids = fc.oneof(fc.uuid(), fc.string({ unit: 'binary' }), fc.constantFrom('sha256:x', 'x'.repeat(3000)));
const seconds = fc.oneof(fc.integer({ min: -20, max: 0 }), fc.integer({ min: -1e6, max: 0 }));
const open = ({ messageId, firstSeenAt }: Message) => ({ key: messageKey(messageId), firstSeenAt });

describe('the open batches of a batch', () => {
  it('have each message without a final status and its time, in items that are small and span a short time', async () => {
    const messages = fc.array(
      fc
        .tuple(ids, fc.constantFrom('sent', 'queued', 'delivered', 'failed', 'unknown'), seconds)
        .map(([id, status, received]) => report(id, 'e', status, 0, { received })),
      { maxLength: 250 },
    );
    await assertProperty(
      fc.property(messages, (all) => {
        const items = openBatchItems(all, now, newId);
        const noted = items.flatMap(openMessagesOf);
        const expected = all.filter(({ events }) =>
          [...events.values()].some(({ status }) => status === 'sent' || status === 'queued'),
        );
        expect(noted).toHaveLength(expected.length);
        expect(noted).toEqual(expect.arrayContaining(expected.map(open)));
        for (const item of items) {
          const times = openMessagesOf(item).map(({ firstSeenAt }) => Date.parse(firstSeenAt));
          const newest = Date.parse(newestIn(item));
          expect(newest).toBe(Math.max(...times));
          expect(newest - Math.min(...times)).toBeLessThanOrEqual(maxSpanMs);
          expect(sizeOf(item)).toBeLessThan(400_000);
          expect(openPartitionsOf('2026-01-15T12')).toContain(item.pk?.S);
        }
      }),
    );
  });

  it('of 40 UUIDs are one write unit', () => {
    const messages = Array.from({ length: 40 }, (_, index) =>
      report(`5f0c8a4e-2d3b-4c1a-9e7f-8b6d5a4c${1000 + index}`, 'e', 'sent', 0, { received: -index / 100 }),
    );
    const [item = {}, ...others] = openBatchItems(messages, now, newId);
    expect(others).toEqual([]);
    expect(sizeOf(item)).toBeLessThanOrEqual(1024);
  });

  it('belong to the hour in which they are written', () => {
    expect(hourOf(now)).toBe('2026-01-15T12');
    expect(endOfHour(hourOf(now))).toBe(now + 1);
  });
});
