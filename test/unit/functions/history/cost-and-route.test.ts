import fc from 'fast-check';
import { expect, it } from 'vitest';
import { costAndRouteOf, foldMessages, mergeMessages } from '../../../../functions/history/message.ts';
import { type Arrival, arrivals, store } from '../../../support/counted-arrivals.ts';
import { assertProperty } from '../../../support/property.ts';
import { report } from '../../../support/suites/reports.ts';

const dollars = { price: '0.0079', currency: 'USD' };

it('each value is that of the report with the highest precedence that has it', () => {
  const message = foldMessages([
    report('m', 'a', 'sent', 1, { ...dollars, segments: 2, network: '310410', carrier: 'One' }),
    report('m', 'b', 'delivered', 2, { price: '0.01', currency: 'EUR', network: '310260' }),
    report('m', 'c', 'read', 3, { segments: 3 }),
  ]);
  expect(costAndRouteOf(message)).toEqual({
    price: '0.01',
    currency: 'EUR',
    segments: 3,
    network: '310260',
    carrier: 'One',
  });
});

it('a later report without a price keeps that of an earlier one, and a message without any has none', () => {
  const sent = report('m', 'a', 'sent', 1, dollars);
  expect(costAndRouteOf(mergeMessages(sent, report('m', 'b', 'delivered', 2)))).toEqual(dollars);
  expect(costAndRouteOf(report('m', 'a', 'sent', 1))).toEqual({});
});

it('a copy of a report that adds the price is kept, whatever the order', () => {
  const priced = report('m', 'a', 'delivered', 1, dollars);
  const bare = report('m', 'a', 'delivered', 1, { errorText: 'zzz' });
  for (const copies of [
    [priced, report('m', 'a', 'delivered', 1)],
    [priced, bare],
  ] as const)
    for (const [first, second] of [copies, copies.toReversed()])
      if (first !== undefined && second !== undefined)
        expect(costAndRouteOf(mergeMessages(first, second))).toEqual(dollars);
});

it('is the same in any order of arrival', () => {
  const costs = (list: readonly Arrival[]) => {
    const { messages } = store(list);
    return new Map([...messages].map(([id, message]) => [id, costAndRouteOf(message)] as const).sort());
  };
  assertProperty(
    fc.property(
      arrivals.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      ),
      ([list, shuffled]) => {
        expect(costs(shuffled)).toEqual(costs(list));
      },
    ),
  );
});
