import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { estimate, eventsOf, type Traffic } from '../../../tools/cost/estimate.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/reference/cost.md');

/** The cells of the rows of a table, without its head. */
function tableAfter(heading: string): readonly (readonly string[])[] {
  const after = page.slice(page.indexOf(heading) + heading.length);
  const lines =
    after
      .slice(after.indexOf('\n|'))
      .trimStart()
      .split(/\n(?!\|)/)[0]
      ?.split('\n') ?? [];
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll(/[*`]/g, '').trim()),
  );
}

const numberIn = (text = '') => Number(/[-+]?[\d,]+(\.\d+)?/.exec(text)?.[0].replaceAll(',', '') ?? 0);
const inSends = (events: number): Traffic => ({ events, inSends: 1 });
const spread = (events: number): Traffic => ({ events, inSends: 0 });
const rounded = (traffic: Traffic) => Math.round(estimate(traffic).dollars);

it('the first lines answer what 1 million messages and 5 million events cost', () => {
  const [million, five] = [eventsOf(1e6), 5e6];
  expect(page).toContain(
    `1 million messages a month cost about ${rounded(inSends(million))} US dollars at AWS, and 5 million events about ${rounded(inSends(five))}.`,
  );
  expect(page).toContain(`at most ${rounded(spread(million))} and ${rounded(spread(five))} dollars.`);
});

it('the factors of the example give its dollars, and its dollars give the sum', () => {
  const rows = tableAfter('<!-- generated: example -->');
  const million = (text = '') => numberIn(text) * (text.includes('million') ? 1e6 : 1);
  const sum = rows.slice(0, -1).reduce((all, row) => all + numberIn(row[4]), 0);
  expect(sum).toBeCloseTo(numberIn(rows.at(-1)?.[4]), 1);
  expect(numberIn(rows.at(-1)?.[4])).toBe(Number(estimate(inSends(eventsOf(1e6))).dollars.toFixed(2)));
  const simple = rows.filter(([service]) => /API|Event|DynamoDB|SQS|log/.test(service ?? ''));
  expect(simple).toHaveLength(7);
  for (const [, , all, price, dollars] of simple) {
    const each = numberIn(price) / (price?.includes('million') ? 1e6 : 1);
    expect(Math.abs(million(all) * each - numberIn(dollars))).toBeLessThan(0.011);
  }
  const [, lambda, , lambdaPrices, lambdaDollars] = [
    ...(rows.find(([service]) => service === 'Lambda') ?? []),
  ];
  expect(lambdaPrices).toContain('13.33 a million GB-seconds');
  const [calls = 0, gbSeconds = 0] = (lambda?.match(/\d+\.\d+/g) ?? []).map(Number);
  expect(3.05 * (calls * 0.2 + gbSeconds * 13.3334)).toBeCloseTo(numberIn(lambdaDollars), 1);
});

it('the text has the figures of insights, of logs, and of the part without any event', () => {
  const insights = (events: number) =>
    ((estimate(spread(events)).dollars - estimate(spread(events), { insights: 'off' }).dollars - 0.1) /
      events) *
    1e6;
  expect(page).toContain(`it costs ${insights(1e6).toFixed(2)} dollars a million.`);
  expect(page).toContain(
    `With 1 million events a month it saves ${insights(1e6).toFixed(2)} dollars, and with 10 million about ${insights(1e7).toFixed(2)} dollars a million`,
  );
  const logBytes = (traffic: Traffic) =>
    (estimate(traffic).lines.find(({ service }) => service.includes('log lines'))?.dollars ?? 0) /
    0.5e-9 /
    1e6;
  expect(page).toContain(
    `about ${Math.round(logBytes(inSends(1e6)))} bytes to all logs if it belongs to a large send, and ${Math.round(logBytes(spread(1e6)))} bytes if it is alone`,
  );
  expect(page).toContain(
    `Without any event it costs ${estimate(inSends(0)).dollars.toFixed(2)} dollars a month,`,
  );
});

it('other pages have the same figures', () => {
  const tracing = (traffic: Traffic) =>
    (estimate(traffic, { tracing: 'on' }).dollars - estimate(traffic).dollars).toFixed(2);
  const monitoring = read('docs/operate/monitoring-elsewhere.md');
  expect(monitoring).toContain(`a million events cost [${tracing(inSends(1e6))} dollars more]`);
  expect(monitoring).toContain(`${tracing(spread(1e6))} dollars more if they are spread evenly`);
  const million = eventsOf(1e6);
  expect(read('docs/start/is-it-right-for-you.md')).toContain(
    `[${rounded(inSends(million))} to ${rounded(spread(million))} US dollars a month]`,
  );
  expect(read('docs/guides/teardown.md')).toContain(`[about ${rounded(inSends(0))} dollars a month]`);
});

it('the pages say from how many days on the class infrequent-access saves money', () => {
  const saved = (retentionDays: number) =>
    estimate(inSends(1e7), { retentionDays }).dollars -
    estimate(inSends(1e7), { retentionDays, historyTableClass: 'infrequent-access' }).dollars;
  const [, days = ''] = /only if you keep messages for more than (\d+) days/.exec(page) ?? [];
  expect([saved(Number(days) - 10) < 0, saved(Number(days) + 10) > 0]).toEqual([true, true]);
  expect(read('lib/props/props.ts')).toContain(`costs less from ${days} days of`);
});
