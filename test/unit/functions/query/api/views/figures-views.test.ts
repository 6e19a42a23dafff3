import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses } from '../../../../../../contract/schema/sms-event.ts';
import { statusNames, timeName } from '../../../../../../functions/insights/counters/count-names.ts';
import { bucketOf } from '../../../../../../functions/insights/counters/delivery-times.ts';
import { insightsSchema, sendSchema } from '../../../../../../functions/query/api/views/figures-schemas.ts';
import { viewInsights, viewSend } from '../../../../../../functions/query/api/views/figures-views.ts';

const noon = Date.UTC(2026, 0, 15, 12);
const quarter = 900_000;

/** Tallies of messages by status. */
const statusTally = fc.dictionary(fc.constantFrom(...statusNames), fc.integer({ min: 1, max: 1000 }));

describe('figures', () => {
  it('by outcome, by status, by country and by source add up to the messages', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            country: fc.constantFrom('US', 'BR', 'ZZ'),
            source: fc.constantFrom('main', 'backup'),
            tally: statusTally,
          }),
        ),
        (parts) => {
          const tallies = parts.map((part, index) => ({ start: noon + index * quarter, ...part }));
          const periods = { interval: 'hour', since: noon, until: noon + 400 * quarter } as const;
          const view = viewInsights(periods, tallies, ['source', 'country', 'status']);
          for (const { messages, delivered, failed, pending, sources, countries, statuses } of [
            view.total,
            ...view.periods,
          ]) {
            expect(delivered + failed + pending).toBe(messages);
            expect(statuses?.reduce((sum, one) => sum + one.messages, 0)).toBe(messages);
            expect(countries?.reduce((sum, one) => sum + one.messages, 0)).toBe(messages);
            expect(sources?.reduce((sum, one) => sum + one.messages, 0)).toBe(messages);
            for (const one of sources ?? [])
              expect(one.countries?.reduce((sum, { messages }) => sum + messages, 0)).toBe(one.messages);
          }
          expect(view.periods.reduce((sum, one) => sum + one.messages, 0)).toBe(view.total.messages);
        },
      ),
    );
  });

  it('add up however many parts a time has', () => {
    const parts = Array.from({ length: 250_000 }, () => ({
      start: noon,
      country: 'US',
      source: 'main',
      tally: { delivered: 1 },
    }));
    const periods = { interval: 'hour', since: noon, until: noon + quarter } as const;
    expect(viewInsights(periods, parts, ['country']).total).toMatchObject({
      messages: 250_000,
      countries: [{ country: 'US', messages: 250_000 }],
    });
  });

  it('leave out what is below zero, because messages were never counted before they changed', () => {
    const late = {
      sent: -10,
      delivered: 10,
      'error#unreachable#1': -2,
      [timeName(bucketOf(900))]: -1,
      replies: -1,
      optOuts: -1,
    };
    const view = sendSchema.parse(viewSend({ sendId: 'send-1', first: noon, tally: late }));
    expect(view).toMatchObject({
      messages: 10,
      delivered: 10,
      failed: 0,
      pending: 0,
      replies: 0,
      optOuts: 0,
    });
    expect([view.failures, view.timeToDelivery]).toEqual([[], null]);
    const periods = { interval: 'hour', since: noon, until: noon + 8 * quarter } as const;
    const parts = [
      { start: noon, country: 'US', source: 'main', tally: late },
      { start: noon + 4 * quarter, country: 'BR', source: 'main', tally: { sent: 30 } },
    ];
    const insights = insightsSchema.parse(viewInsights(periods, parts, ['country', 'status', 'reason']));
    expect(insights.total).toMatchObject({ messages: 40, delivered: 10, pending: 30 });
    expect(insights.periods.map(({ messages }) => messages)).toEqual([10, 30]);
  });

  it('of a source are those of its messages, divided by the other groups; the source with the most messages is first', () => {
    const tallies = [
      { country: 'US', source: 'main', tally: { delivered: 6, undelivered: 4, 'error#unreachable#7': 4 } },
      { country: 'BR', source: 'backup', tally: { delivered: 5, [timeName(bucketOf(900))]: 5 } },
      { country: 'US', source: 'backup', tally: { delivered: 7 } },
    ].map((part) => ({ start: noon, ...part }));
    const periods = { interval: 'hour', since: noon, until: noon + 4 * quarter } as const;
    const { total, ...view } = insightsSchema.parse(
      viewInsights(periods, tallies, ['source', 'country', 'reason']),
    );
    expect(total.sources).toMatchObject([
      {
        source: 'backup',
        messages: 12,
        delivered: 12,
        failed: 0,
        failures: [],
        timeToDelivery: { messages: 5 },
        countries: [
          { country: 'US', messages: 7 },
          { country: 'BR', messages: 5 },
        ],
      },
      {
        source: 'main',
        messages: 10,
        delivered: 6,
        failed: 4,
        timeToDelivery: null,
        countries: [{ country: 'US', messages: 10 }],
        failures: [{ reason: 'unreachable', code: '7', messages: 4 }],
      },
    ]);
    expect(view.periods[0]?.sources).toEqual(total.sources);
  });

  it('have the spend by currency, with the messages that it covers, and the parts', () => {
    const tallies = [
      { delivered: 3, segments: 4, 'priced#USD': 2, 'spend#USD': 23_700, 'spend#EUR': -5, 'priced#EUR': -1 },
      { delivered: 1, segments: 1, 'priced#USD': 1, 'spend#USD': 300 },
    ].map((tally, index) => ({
      start: noon + index * quarter,
      country: index === 0 ? 'US' : 'BR',
      source: 'main',
      tally,
    }));
    const periods = { interval: 'hour', since: noon, until: noon + 4 * quarter } as const;
    const { total } = insightsSchema.parse(viewInsights(periods, tallies, ['country']));
    expect(total).toMatchObject({
      segments: 5,
      spend: [{ currency: 'USD', amount: '0.024', messages: 3 }],
    });
    expect(total.countries?.map(({ country, spend }) => [country, spend[0]?.amount])).toEqual([
      ['US', '0.0237'],
      ['BR', '0.0003'],
    ]);
  });

  it('count each status with its outcome', () => {
    const outcomes = canonicalStatuses.map((status) => {
      const { delivered, failed } = viewSend({
        sendId: 'send-1',
        first: noon,
        tally: { [status]: 1 },
      });
      return `${status} ${delivered} ${failed}`;
    });
    expect(outcomes).toEqual([
      'accepted 0 0',
      'queued 0 0',
      'sent 0 0',
      'unknown 0 0',
      'expired 0 1',
      'rejected 0 1',
      'failed 0 1',
      'undelivered 0 1',
      'delivered 1 0',
      'read 1 0',
    ]);
  });

  it('have each time in the row of the histogram that it fits into, and no time where none is known', () => {
    const tally = {
      delivered: 4,
      [timeName(bucketOf(900))]: 3,
      [timeName(bucketOf(172_800_000))]: 1,
    };
    const { histogram } = viewSend({ sendId: 'send-1', first: noon, tally });
    expect(histogram.filter(({ messages }) => messages > 0)).toEqual([
      { upTo: 1000, messages: 3 },
      { upTo: null, messages: 1 },
    ]);
    expect(viewSend({ sendId: 'send-1', first: noon, tally: { delivered: 1 } }).timeToDelivery).toBeNull();
  });
});
