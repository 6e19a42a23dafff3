import { describe, expect, it } from 'vitest';
import { type DriftDay, mismatchId, type NotedMismatch } from '../../../../../contract/drift/drift-watch.ts';
import { judgeDrift, mismatchesOf } from '../../../../../functions/query/health/contract-drift.ts';

const unread = (found: string, field: string, more: Partial<NotedMismatch> = {}): NotedMismatch => ({
  kind: 'unread',
  field,
  found,
  expected: 'a value',
  shape: '{}',
  foundAt: '2026-01-15T08:00:00.000Z',
  ...more,
});

const day = (date: string, ...mismatches: readonly NotedMismatch[]): DriftDay => ({
  day: date,
  mismatches: new Map(mismatches.map((mismatch) => [mismatchId(mismatch), mismatch])),
});

const numbers = unread('ambiguous-number', 'events.reply.from', { example: '•••0119', events: 300 });
const times = unread('looks-like-UTC-05:00', 'events.reply.occurredAt', { events: 212 });

describe('the judge of drift', () => {
  it('says what was kept as received, with counts of all days, and what to set', () => {
    const days = [day('2026-01-14', { ...numbers, events: 12 }), day('2026-01-15', numbers, times)];
    expect(judgeDrift(mismatchesOf(days), 'today and yesterday')).toEqual({
      state: 'warn',
      found:
        '312 values of events.reply.from were kept as received (ambiguous-number, such as •••0119), last on 2026-01-15; times of events.reply.occurredAt look like UTC-05:00 (212 events), last on 2026-01-15',
      hint: expect.stringMatching(
        /^Ambiguous numbers: .* set "events\.numbers" .*\nTimes: set "events\.timeZone" .*\nsms contract drift shows them\.$/,
      ),
    });
  });

  it.each([
    [
      unread('no-zone', 'events.status.occurredAt', { events: 1 }),
      '1 time of events.status.occurredAt had no zone',
    ],
    [unread('missing', 'events.reply.text', { events: 3 }), '3 events had no value for events.reply.text'],
    [
      unread('no-currency', 'events.status.price', { example: '9.99' }),
      'values of events.status.price were kept as received (no-currency, such as 9.99)',
    ],
    [
      unread('unreadable-number', 'events.status.recipient', { events: 1, source: 'backup' }),
      '1 value of events.status.recipient of the source backup was kept as received (unreadable-number)',
    ],
  ])('has a sentence for each kind of value', (mismatch, sentence) => {
    const { found, hint } = judgeDrift(mismatchesOf([day('2026-01-15', mismatch)]), 'today');
    expect(found).toBe(`${sentence}, last on 2026-01-15`);
    expect(hint).toMatch(/^\S.*: .*\.\nsms contract drift shows them\.$/);
  });

  it('counts other differences, shows at most four sentences, and gives a reason for a later problem, too', () => {
    const status: NotedMismatch = { ...unread('string', 'statuses', { word: 'held' }), kind: 'status' };
    const fields = ['price', 'currency', 'segments', 'network'].map((field, index) =>
      unread('unreadable-value', `events.status.${field}`, { events: 10 - index }),
    );
    const { found } = judgeDrift(mismatchesOf([day('2026-01-15', status, ...fields)]), 'today');
    expect(found).toMatch(
      /^events of today differ from the contract in one way; 10 values of events\.status\.price /,
    );
    expect(found).toMatch(/; and 1 more$/);
    expect(judgeDrift(mismatchesOf([day('2026-01-15', status)]), 'today').hint).toBe(
      'sms contract drift shows them.',
    );
    const later = unread('of-a-later-version', 'events.reply.from');
    expect(judgeDrift(mismatchesOf([day('2026-01-15', later)]), 'today').found).toContain(
      'of-a-later-version',
    );
  });

  it('shows the numbers of persons before other fields, however many events each has', () => {
    const fields = ['events.reply.to', 'events.status.recipient', 'events.reply.from'];
    const mismatches = fields.map((field, index) =>
      unread('ambiguous-number', field, { example: '•••0119', events: 30 - 10 * index }),
    );
    const { found } = judgeDrift(mismatchesOf([day('2026-01-15', ...mismatches)]), 'today');
    expect(found.match(/events\.[a-z.]+/g)).toEqual(fields.toReversed());
  });

  it('judges one source, and finds nothing on other days', () => {
    const days = [day('2026-01-15', numbers, { ...times, source: 'backup' })];
    expect(mismatchesOf(days, 'main').map(({ field }) => field)).toEqual(['events.reply.from']);
    expect(mismatchesOf(days, 'backup')).toMatchObject([
      { field: 'events.reply.occurredAt', source: 'backup' },
    ]);
    expect(judgeDrift(mismatchesOf([]), 'today')).toEqual({
      state: 'ok',
      found: 'events of today are as the contract says',
    });
  });
});
