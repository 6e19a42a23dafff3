import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guides = globSync('docs/guides/**/*.md', { cwd: root }).sort();

it.each(guides)('%s says what to expect, and what to do when it fails', (page) => {
  const text = read(page);
  expect(text).toMatch(/^(?:## |\*\*)Expected output/m);
  expect(text).toMatch(/^## (?:If (?:it|one) (?:fails|finds nothing)|What can go wrong)$/m);
});

it.each(guides.filter((page) => !page.includes('/automations/')))('%s begins with its goal', (page) => {
  expect(read(page)).toMatch(/^# .+\n\n\*\*Goal:\*\* /);
});

it.each([
  'docs/providers/twilio.md',
  'docs/operate/troubleshooting.md#no-sms-arrived',
  'docs/guides/on-call-by-sms.md',
  'docs/guides/trigger-a-lambda.md',
  'docs/guides/rotate.md',
  'docs/guides/erase.md',
  'docs/reference/cost.md',
  'docs/guides/upgrade.md',
  'docs/guides/analyse-with-athena.md',
  'docs/guides/permissions.md',
  'docs/guides/automations/index.md',
  'docs/guides/change-the-contract.md',
])('README links to the task of %s', (page) => {
  expect(read('README.md')).toContain(`](${page})`);
});
