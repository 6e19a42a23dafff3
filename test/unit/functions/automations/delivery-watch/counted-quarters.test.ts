import { expect, it } from 'vitest';
import { countedQuarters } from '../../../../../functions/automations/delivery-watch/counted-quarters.ts';
import { failureName, timeName } from '../../../../../functions/insights/counters/count-names.ts';
import { bucketOf, timeOf } from '../../../../../functions/insights/counters/delivery-times.ts';

const start = Date.parse('2026-11-23T10:00:00Z');
const bucket = bucketOf(6000);

it('counts what was read as delivered, and failures by reason over all codes of the service', () => {
  const tally = {
    sent: 5,
    delivered: 80,
    read: 10,
    failed: 5,
    [failureName('unreachable', '1')]: 2,
    [failureName('unreachable', '2')]: 1,
    [failureName('spam', '3')]: 2,
    [timeName(bucket)]: 90,
  };
  const quarter = countedQuarters([{ start, country: 'DE', source: 'main', tally }]).get(start);
  expect(quarter?.countries.get('DE')).toMatchObject({
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
  const tally = { sent: -60, delivered: 100 };
  expect(
    countedQuarters([{ start, country: 'DE', source: 'main', tally }])
      .get(start)
      ?.countries.get('DE'),
  ).toMatchObject({
    messages: 100,
    delivered: 100,
  });
});

it('keeps the countries of a quarter hour apart, and leaves out those with replies only', () => {
  const quarters = countedQuarters([
    { start, country: 'DE', source: 'main', tally: { delivered: 3 } },
    { start, country: 'FR', source: 'main', tally: { delivered: 4 } },
    { start, country: 'IT', source: 'main', tally: { replies: 7 } },
  ]);
  expect(
    [...(quarters.get(start)?.countries ?? [])].map(([country, { messages }]) => [country, messages]),
  ).toEqual([
    ['DE', 3],
    ['FR', 4],
  ]);
});

it('adds the sources of a country, and keeps each of them', () => {
  const quick = timeName(bucketOf(1000));
  const quarter = countedQuarters([
    { start, country: 'DE', source: 'main', tally: { delivered: 3, [timeName(bucket)]: 3 } },
    {
      start,
      country: 'DE',
      source: 'backup',
      tally: { delivered: 2, failed: 1, [failureName('spam', '')]: 1, [quick]: 1, [timeName(bucket)]: 1 },
    },
    { start, country: 'FR', source: 'backup', tally: { delivered: 1 } },
    { start, country: 'FR', source: 'third', tally: { replies: 1 } },
  ]).get(start);
  expect(quarter?.countries.get('DE')).toEqual({
    messages: 6,
    delivered: 5,
    deliveries: [
      { ms: timeOf(bucketOf(1000)), messages: 1 },
      { ms: timeOf(bucket), messages: 4 },
    ],
    failures: new Map([['spam', 1]]),
  });
  const bySource = [...(quarter?.sources ?? [])].map(([source, countries]) => [
    source,
    [...countries].map(([country, { messages }]) => `${country} ${messages}`),
  ]);
  expect(bySource).toEqual([
    ['main', ['DE 3']],
    ['backup', ['DE 3', 'FR 1']],
  ]);
});
