import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costAndRouteOf, mergeMessages } from '../../../../../functions/history/message.ts';
import { cohortKey } from '../../../../../functions/insights/counters/cohort.ts';
import { statusNames } from '../../../../../functions/insights/counters/count-names.ts';
import {
  type Deltas,
  deltasOf,
  type HistoryChange,
} from '../../../../../functions/insights/counters/deltas.ts';
import { addTallies, isEmpty, type Tally } from '../../../../../functions/insights/counters/tally.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import { arrivals, recount, store } from '../../../../support/counted-arrivals.ts';
import { assertProperty } from '../../../../support/property.ts';
import { report } from '../../../../support/suites/reports.ts';

/** The counters after deltas, by the key of the cohort or the id of a message with replies. */
function counters(list: readonly Deltas[]): Record<string, Tally> {
  const sums = new Map<string, Tally>();
  const add = (name: string, tally: Tally) => sums.set(name, addTallies([sums.get(name) ?? {}, tally]));
  for (const { cohorts, replies } of list) {
    for (const { cohort, tally } of cohorts) {
      const { pk, sk } = cohortKey(cohort);
      add(`${pk} ${sk}`, tally);
    }
    for (const [messageId, tally] of replies) add(`replies to ${messageId}`, tally);
  }
  return Object.fromEntries([...sums].filter(([, tally]) => !isEmpty(tally)));
}

const isStatus = (name: string) => statusNames.some((status) => status === name);

const split = (changes: readonly HistoryChange[], cuts: readonly number[]) => {
  const borders = [0, ...cuts.map((cut) => cut % (changes.length + 1)).sort((a, b) => a - b), changes.length];
  return borders.slice(1).map((end, index) => changes.slice(borders[index], end));
};

describe('deltas', () => {
  it('add up to a recount of what is stored, in any order, with any repetition and in any batches', () => {
    assertProperty(
      fc.property(
        arrivals.chain((list) =>
          fc.tuple(
            fc.shuffledSubarray(list, { minLength: list.length }),
            fc.subarray(list),
            fc.array(fc.nat(50), { maxLength: 5 }),
          ),
        ),
        ([list, repeated, cuts]) => {
          const { changes, messages, replies } = store([...list, ...repeated]);
          const batches = split(changes, cuts).map((batch) => deltasOf(batch, keywordOf));
          expect(counters(batches)).toEqual(recount([...messages.values()], [...replies.values()]));
        },
      ),
    );
  });

  it('keep the states of every cohort adding up to its messages', () => {
    assertProperty(
      fc.property(arrivals, (list) => {
        const { changes, messages } = store(list);
        const sums = counters(changes.map((change) => deltasOf([change], keywordOf)));
        for (const send of ['send-0', 'send-1']) {
          const { pk, sk } = cohortKey({ kind: 'send', sendId: send });
          const states = Object.entries(sums[`${pk} ${sk}`] ?? {}).filter(([name]) => isStatus(name));
          const inSend = [...messages.values()].filter(({ sendId }) => sendId === send);
          expect(states.reduce((sum, [, count]) => sum + count, 0)).toBe(inSend.length);
          expect(states.every(([, count]) => count > 0)).toBe(true);
        }
      }),
    );
  });

  it('keep the spend of every send at the sum of the prices that its messages have now', () => {
    assertProperty(
      fc.property(arrivals, (list) => {
        const { changes, messages } = store(list);
        const sums = counters(changes.map((change) => deltasOf([change], keywordOf)));
        for (const send of ['send-0', 'send-1']) {
          const costs = [...messages.values()].filter(({ sendId }) => sendId === send).map(costAndRouteOf);
          const dollars = costs.filter(({ currency }) => currency === 'USD');
          const { pk, sk } = cohortKey({ kind: 'send', sendId: send });
          const {
            'spend#USD': spend = 0,
            'priced#USD': priced = 0,
            segments = 0,
          } = sums[`${pk} ${sk}`] ?? {};
          expect(spend / 1e6).toBeCloseTo(dollars.reduce((sum, { price }) => sum + Number(price), 0));
          expect(priced).toBe(dollars.length);
          expect(segments).toBe(costs.reduce((sum, cost) => sum + (cost.segments ?? 0), 0));
        }
      }),
    );
  });

  it('take back a price that another one replaces, and a send that another one replaces', () => {
    const dollars = { price: '0.0158', currency: 'USD', segments: 2, sendId: 'b', phone: '+12025550143' };
    const before = report('m', 'e1', 'sent', 5, dollars);
    const euros = { price: '0.03', currency: 'EUR', sendId: 'a' };
    const after = mergeMessages(before, report('m', 'e2', 'delivered', 6, euros));
    const changes: readonly HistoryChange[] = [
      { kind: 'message', before: undefined, after: before },
      { kind: 'message', before, after },
    ];
    const sums = counters(changes.map((change) => deltasOf([change], keywordOf)));
    const spent = { segments: 2, 'priced#EUR': 1, 'spend#EUR': 30_000 };
    expect(Object.keys(sums)).not.toContain('send#b figures');
    for (const tally of Object.values(sums)) expect(tally).toMatchObject({ delivered: 1, ...spent });
    for (const tally of Object.values(sums)) expect(tally).not.toHaveProperty('spend#USD');
  });

  it('name the earliest time and the new send of a message', () => {
    const before = report('m', 'e1', 'sent', 5);
    const after = mergeMessages(before, report('m', 'e2', 'delivered', 3, { sendId: 'spring' }));
    const deltas = deltasOf([{ kind: 'message', before, after }], keywordOf);
    expect(deltas.learntSends).toEqual(new Map([['m', 'spring']]));
    expect(deltas.cohorts.find(({ cohort }) => cohort.kind === 'send')).toMatchObject({
      cohort: { kind: 'send', sendId: 'spring' },
      first: Date.UTC(2026, 0, 15, 12, 0, 3),
    });
    const again = deltasOf([{ kind: 'message', before: after, after }], keywordOf);
    expect(again.learntSends.size).toBe(0);
    expect(again.cohorts.every(({ tally }) => isEmpty(tally))).toBe(true);
  });
});
