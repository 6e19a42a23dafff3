import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { idleLookupsCost, lookupPricesCost, lookupsCost } from '../../../../tools/cost/lookups.ts';
import { presetContracts } from '../../../support/preset-contracts.ts';

const pageOn = (path: string) => readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8');
const section = pageOn('reference/cost.md').split('\n## Lookups\n')[1]?.split('\n## ')[0] ?? '';
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.replaceAll('*', '').trim()));
const figures = (first: RegExp) =>
  rows.filter(([, name]) => first.test(name ?? '')).map((cells) => cells.at(-2));

/** How the service of a preset lists messages, as its contract asks for them. */
function listsOf(preset: string) {
  const lookups = presetContracts.find(({ name }) => name === `${preset}.json`)?.contract.lookups;
  const { query = {} } = lookups?.list ?? {};
  const size = query.PageSize ?? query.limit ?? query.page_size ?? query['page[size]'];
  return { pageSize: Number(size), requestsPerSecond: lookups?.requestsPerSecond ?? 0 };
}

it('the page on cost has the figures of lookups, by part', () => {
  const { reads, writes, state, lambda, all } = lookupsCost(1e6, listsOf('twilio'));
  expect(figures(/^(DynamoDB|Lambda|all)/)).toEqual(
    [reads, writes, state, lambda, all].map((dollars) => dollars.toFixed(3)),
  );
});

it.each([
  ['Infobip', ['infobip']],
  ['Twilio', ['twilio', 'twilio-event-streams']],
  ['Bandwidth, Bird, ClickSend, Sinch', ['bandwidth', 'bird', 'clicksend', 'sinch-sms']],
  ['MessageBird, Telnyx', ['messagebird-sms', 'messagebird-sms-hmac', 'telnyx']],
  ['Plivo', ['plivo-v2', 'plivo-v3']],
])('the page on cost has the figure of %s, with the pages that its presets ask for', (services, presets) => {
  const [row] = rows.filter(([, name]) => name === services);
  for (const preset of presets) {
    const lists = listsOf(preset);
    expect(row?.slice(2, 4)).toEqual([String(lists.pageSize), lookupsCost(1e6, lists).all.toFixed(2)]);
  }
});

it('the pages have what prices of lookups cost, and what lookups cost without a message', () => {
  const { runs, alarm, metric, secret } = idleLookupsCost();
  expect(section).toContain(`about ${lookupPricesCost(1e6).toFixed(2)} dollars a million events`);
  expect(pageOn('operate/lookups.md')).toContain(
    `at most ${lookupPricesCost(3.05e6).toFixed(2)} dollars a million messages`,
  );
  const [all, ...parts] = [runs + alarm + metric + secret, runs, alarm, metric, secret].map((dollars) =>
    dollars.toFixed(2),
  );
  expect(section).toContain(
    `about ${all} dollars a month: runs ${parts[0]}, the alarm ${parts[1]}, the metric \`LookupRequests\` ${parts[2]}, and the secret with the API key ${parts[3]}`,
  );
});
