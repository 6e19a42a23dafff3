import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '../../../lib/app/read-settings.ts';
import {
  automationSettings,
  customDomainSettings,
  eventSettings,
  pipelineSettings,
} from '../../../lib/app/setting-schemas.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The default of a setting as text: empty if there is none, or an empty list. */
const defaults = new Map(Object.entries(readSettings({})).map(([name, value]) => [name, String(value)]));
const defaultOf = (name: string) => defaults.get(name) ?? '';

/** The table's rows: one setting or several, and one default for all or one for each. */
const rows = read('docs/reference/settings.md').matchAll(/^\| (`.+?) \| (.+?) \|/gm);
const documented = new Map(
  [...rows].flatMap(([, names = '', column = '']) => {
    const texts = column.replaceAll('`', '').split(', ');
    return (names.match(/\w+/g) ?? []).map((name, index) => [name, texts[index] ?? texts[0]] as const);
  }),
);

it.each(Object.keys({ ...pipelineSettings, ...customDomainSettings, ...eventSettings }))(
  'the table of docs/reference/settings.md has %s with its default',
  (name) => {
    const text = documented.get(name) ?? 'no row';
    expect(['none', 'any', "the contract's"].includes(text) ? '' : text).toBe(defaultOf(name));
  },
);

const lines = globSync('docs/guides/automations/*.md', { cwd: root }).flatMap((page) =>
  read(page).split('\n'),
);

it.each(Object.keys(automationSettings))('a page about automations has %s with its default', (name) => {
  const found = lines.filter((line) => new RegExp(`\`(sms:)?${name}\\b`).test(line));
  expect(found).toContainEqual(expect.stringContaining(defaultOf(name)));
});
