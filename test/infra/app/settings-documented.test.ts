import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { automationSettings } from '../../../lib/app/setting-schemas.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The default of a setting as text. It is empty for none, an empty list, and "off", which the pages say of all automations once. */
const defaults = new Map(Object.entries(readSettings({})).map(([name, value]) => [name, String(value)]));
const defaultOf = (name: string) => (defaults.get(name) ?? '').replace(/^off$/, '');

const pages = globSync('docs/guides/automations/*.md', { cwd: root });
const lines = pages.flatMap((page) => read(page).split('\n'));

it('the pages about automations say that all are off by default', () => {
  expect(read('docs/guides/automations/index.md')).toContain('All are off by default.');
  expect(Object.keys(automationSettings).filter((name) => defaults.get(name) === 'on')).toEqual([]);
});

it.each(Object.keys(automationSettings))('a page about automations has %s with its default', (name) => {
  const found = lines.filter((line) => new RegExp(`[\`"](sms:)?${name}\\b`).test(line));
  expect(found).toContainEqual(expect.stringContaining(defaultOf(name)));
});
