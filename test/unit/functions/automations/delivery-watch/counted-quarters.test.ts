import { expect, it } from 'vitest';
import { countedQuarters } from '../../../../../functions/automations/delivery-watch/counted-quarters.ts';
import { letterOf } from '../../../../../functions/counters/count-names.ts';
import { bucketOf, timeOf } from '../../../../../functions/counters/delivery-times.ts';

const start = Date.parse('2026-11-23T10:00:00Z');
const bucket = bucketOf(6000);

it('counts what was read as delivered, and failures by reason over all codes of the service', () => {
  const tally = {
    ss: 5,
    sd: 80,
    sr: 10,
    sf: 5,
    [`e${letterOf('unreachable')}#1`]: 2,
    [`e${letterOf('unreachable')}#2`]: 1,
    [`e${letterOf('spam')}#3`]: 2,
    [`h${bucket.toString(36)}`]: 90,
  };
  const quarter = countedQuarters([{ start, country: 'DE', tally }]).get(start);
  expect(quarter?.get('DE')).toMatchObject({
    messages: 100,
    delivered: 90,
    deliveries: [{ ms: timeOf(bucket), messages: 90 }],
    failures: new Map([
      ['unreachable', 3],
      ['spam', 2],
    ]),
  });
});

it('never has more deliveries than messages where changes of uncounted messages were subtracted', () => {
  const tally = { ss: -60, sd: 100 };
  expect(
    countedQuarters([{ start, country: 'DE', tally }])
      .get(start)
      ?.get('DE'),
  ).toMatchObject({
    messages: 100,
    delivered: 100,
  });
});

it('keeps the countries of a quarter hour apart, and leaves out those with replies only', () => {
  const quarters = countedQuarters([
    { start, country: 'DE', tally: { sd: 3 } },
    { start, country: 'FR', tally: { sd: 4 } },
    { start, country: 'IT', tally: { r: 7 } },
  ]);
  expect([...(quarters.get(start) ?? [])].map(([country, { messages }]) => [country, messages])).toEqual([
    ['DE', 3],
    ['FR', 4],
  ]);
});
