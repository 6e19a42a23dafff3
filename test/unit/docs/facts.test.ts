import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { maxBodyBytes } from '../../../functions/receive/ingest/receive.ts';
import { settings } from '../../../lib/app/settings-schema.ts';
import { queueRetentionDays } from '../../../lib/options/queue-timing.ts';
import { estimate, eventsOf } from '../../../tools/cost/estimate.ts';
import { prices } from '../../../tools/cost/prices.ts';
import { presetContracts } from '../../support/preset-contracts.ts';

const root = join(import.meta.dirname, '../../..');

/** The pages that describe the pipeline as it is today. A decision and a measurement are of their day. */
const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root })
  .filter((path) => !/^docs\/(adr|contributing)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const defaultOf = (name: string): unknown =>
  settings.find((setting) => setting.name === name)?.schema.parse(undefined);

/** Finds a text on all pages. */
const found = (pattern: RegExp) =>
  pages.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([whole, ...parts]) => ({ path, whole, parts })),
  );

/** Each service with a preset has a page. */
const providerPages = globSync('docs/providers/*.md', { cwd: root }).filter(
  (path) => !/(index|without-a-preset)\.md$/.test(path),
);

/** Presets whose messages have the number of the recipient as a part of their id. */
const presetsWithNumberInId = presetContracts.flatMap(({ name, contract }) =>
  JSON.stringify(contract.events).match(/"messageId":"[^"]*join\('\/'/) === null
    ? []
    : [name.replace('.json', '')],
);

it('the page of events names the presets whose ids have a number', () => {
  const page = pages.find(({ path }) => path === 'docs/reference/events.md')?.text ?? '';
  const [, section = ''] = page.split('### Ids with a number');
  const named = [...(section.split('\n')[3] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  expect(named.filter((name) => name !== 'messageId')).toEqual(presetsWithNumberInId);
});

it('the page of security names the presets that sign no time', () => {
  const page = pages.find(({ path }) => path === 'docs/concepts/security.md')?.text ?? '';
  const [, section = ''] = page.split('### Requests without a signed time');
  const [, list = ''] = section.match(/^Of the presets with a signature, these sign none: (.+)\.$/m) ?? [];
  const timeless = presetContracts.flatMap(({ name, contract: { webhook } }) =>
    'timestamp' in webhook.signature && webhook.signature.timestamp === null
      ? [`\`${name.replace('.json', '')}\``]
      : [],
  );
  expect(list.split(', ')).toEqual(timeless);
});

const million = (inSends: number) => Math.round(estimate({ events: eventsOf(1e6), inSends }).dollars);

describe.each<readonly [fact: string, pattern: RegExp, figure: unknown]>([
  ['how long the quarantine keeps', /quarantine for (\d+) days/g, defaultOf('quarantineRetentionDays')],
  ['how long dead letters are kept', /dead-letter queue for (?:another )?(\d+) days/g, queueRetentionDays],
  ['how large a request may be', /(?:larger than|size of a request \|) (\d+) KiB/g, maxBodyBytes / 1024],
  [
    'how many statuses there are',
    /(ten|\d+) statuses\]/g,
    canonicalStatuses.length === 10 ? 'ten' : canonicalStatuses.length,
  ],
  [
    'what a million messages of large sends cost',
    /(\d+) US dollars a month for a million messages/g,
    million(1),
  ],
  ['what a million messages cost at most', /at most (\d+) if they are spread evenly/g, million(0)],
  ['how many services have a preset', /For (\d+) SMS services/g, providerPages.length],
  ['what a secret costs', /(0\.\d+) US dollars a month[^.|]{0,30}secret/g, prices.secrets.dollars],
  [
    'what writes cost',
    /(?:write units at|writes? for|\b1 write,) (0\.\d+)(?: US)?(?: dollars)? (?:a|per) million/g,
    prices.dynamoDbWriteUnits.dollars * 1e6,
  ],
])('%s', (_, pattern, figure) => {
  it('stands on a page', () => {
    expect(found(pattern)).not.toEqual([]);
  });

  it.each(found(pattern))('$path: $whole', ({ parts: [value = ''] }) => {
    expect(typeof figure === 'number' ? Number(value) : value).toBe(figure);
  });
});
