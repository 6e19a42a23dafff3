import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { partsOf, presetTables, providerPage, readPresets } from '../../../../tools/generate/preset-table.ts';

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

it('the tables have a row for each preset, with how it proves its requests', () => {
  const tables = presetTables(presets);
  expect(tables.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))).toHaveLength(
    presets.length,
  );
  expect(tables).toMatch(/^\| \[`bandwidth`\]\(bandwidth\.md\) \| as basic authentication \|$/m);
  expect(tables).toMatch(/^\| \[`clicksend`\]\(clicksend\.md\) \| in the URL, `\?token=` \|$/m);
  expect(tables).toMatch(/^\| \[`twilio`\]\(twilio\.md\) \| HMAC-SHA1 \| time \|$/m);
  expect(tables).toMatch(/^\| `github` \| HMAC-SHA256 \| query of the URL, time \|$/m);
});
