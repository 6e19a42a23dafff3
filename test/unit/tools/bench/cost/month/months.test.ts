import { expect, it } from 'vitest';
import { monthsOf, monthsTable, sumOf } from '../../../../../../tools/bench/cost/month/months.ts';
import { targetBill } from '../../../../../../tools/bench/cost/report.ts';
import { model, scenario } from '../figures.ts';

const months = monthsOf(model, scenario);
const { variable, fixed } = targetBill(model, scenario);

it('a month of events costs what is fixed and so many times a million; without insights there are no others', () => {
  const [one, messages, five] = months.map(({ inSends }) => sumOf(inSends));
  expect(one).toBeCloseTo(fixed + variable);
  expect(messages).toBeCloseTo(fixed + 3.05 * variable);
  expect(five).toBeCloseTo(fixed + 5 * variable);
});

it('events that come alone cost more, in processing and not in keeping', () => {
  for (const { inSends, evenly } of months) {
    expect(evenly.processing).toBeGreaterThan(inSends.processing);
    expect(evenly.fixed).toBe(inSends.fixed);
  }
});

it('insights are part of the bill of a month, once', () => {
  const batching = { batchSize: 1000, windowSeconds: 15, parallelism: 1 };
  const withInsights = { ...scenario, insights: batching };
  const [month] = monthsOf(model, withInsights);
  const bill = targetBill(model, withInsights);
  expect(month && sumOf(month.inSends)).toBeCloseTo(bill.fixed + bill.variable);
  expect(month?.inSends.insights).toBeGreaterThan(0);
  expect(month?.evenly.insights).toBeGreaterThan(month?.inSends.insights ?? Number.NaN);
});

it('the table is in whole dollars', () => {
  const parts = { fixed: 10, processing: 4.6, keeping: 1.1, insights: 0.2 };
  const text = monthsTable([
    { name: '1 million events', inSends: parts, evenly: { ...parts, processing: 8 } },
  ]);
  expect(text).toMatch(/^1 million events +16 +19$/m);
});
