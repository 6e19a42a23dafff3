import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  fieldTable,
  partsOf,
  presetLists,
  providerPage,
  readPresets,
} from '../../../../tools/generate/preset-lists.ts';

const presets = readPresets();
const folder = mkdtempSync(join(tmpdir(), 'pages-'));
for (const page of ['vonage.md', 'bird.md', 'bird-channels.md']) writeFileSync(join(folder, page), '');
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['vonage-sms', 'vonage.md'],
  ['bird', 'bird.md'],
  ['bird-channels', 'bird-channels.md'],
  ['twilio', undefined],
])('the page of %s is %s', (name, page) => {
  expect(providerPage(name, folder)).toBe(page);
});

it.each([
  ['twilio', ['URL', 'body'], ['time']],
  ['plivo-v2', ['URL without its query', 'id'], ['body', 'query of the URL', 'time']],
  ['plivo-v3', ['URL', 'body', 'nonce'], ['time']],
  ['vonage-messages', ['body', 'time'], ['query of the URL']],
  ['vonage-sms', ['body', 'time'], ['query of the URL']],
  ['messagebird-jwt', ['body', 'URL', 'id', 'time'], []],
  ['bandwidth', [], ['body', 'URL', 'time']],
])('the table says what %s signs, and what it does not', (name, signed, unsigned) => {
  const preset = presets.find((each) => each.name === name);
  expect(preset && partsOf(preset.signature, preset.method)).toEqual({ signed, unsigned });
});

it('the lists name each preset once, by what it leaves unsigned or where its secret is', () => {
  const lists = presetLists(presets);
  const named = [...lists.matchAll(/`([\w-]+)`(?=\]|,|$)/gm)].map(([, name]) => name);
  expect(named.filter((name) => presets.some((preset) => preset.name === name)).toSorted()).toEqual(
    presets.map(({ name }) => name).toSorted(),
  );
  expect(lists).toMatch(/^- \*\*as basic authentication\*\*: .*\[`bandwidth`\]\(bandwidth\.md\)/m);
  expect(lists).toMatch(/^- \*\*in the URL, `\?token=`\*\*: .*\[`clicksend`\]\(clicksend\.md\)/m);
  expect(lists).toMatch(/^- \*\*the signature does not cover the time\*\*: .*\[`twilio`\]\(twilio\.md\)/m);
  expect(lists).toMatch(/^- \*\*HMAC-SHA256\*\*: .*`standard-webhooks`/m);
});

it('the table of fields has a row for each preset of a service, and says which fields it reads', () => {
  const [head = '', , ...rows] = fieldTable(presets).split('\n');
  expect(rows).toHaveLength(presets.filter(({ isWhole }) => isWhole).length);
  const cells = (row = '') => row.split('|').map((cell) => cell.trim());
  const vonage = cells(rows.find((row) => row.includes('`vonage-sms`')));
  const read = cells(head).filter((_, index) => vonage[index] === 'yes');
  expect(read).toEqual(['price', 'network', 'reply in parts']);
});
