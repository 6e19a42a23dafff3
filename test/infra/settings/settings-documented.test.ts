import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  automationSettings,
  customDomainSettings,
  eventSettings,
  pipelineSettings,
} from '../../../lib/settings/setting-schemas.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it.each(Object.keys({ ...pipelineSettings, ...customDomainSettings, ...eventSettings }))(
  'the table of docs/settings.md lists %s',
  (name) => expect(read('docs/settings.md')).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm')),
);

const pages = globSync('docs/automations/*.md', { cwd: root }).map(read).join('\n');

it.each(Object.keys(automationSettings))('a page about automations mentions %s', (name) =>
  expect(pages).toMatch(new RegExp(`\`(sms:)?${name}\\b`)),
);
