import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/concepts/security.md'), 'utf8');
const [, model = ''] = /## Threat model\n([\s\S]*?)\n## /.exec(page) ?? [];
const rows = model
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the threat model', () => {
  it.each(rows)('%s %s: names a defence, and existing tests', (...cells) => {
    const [defence = '', tests = ''] = cells.slice(-2);
    expect(defence).toMatch(/\w{4}/);
    const files = [...tests.matchAll(/`(.+?)`/g)].flatMap(([, file]) => file ?? []);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  });
});

// Behaviour cannot show it, and the rules' own tests are run on sources that Stryker has changed.
it('signatures are compared in constant time, in one place, after their lengths', () => {
  const folder = join(root, 'contract/signature');
  const comparing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8').match(/.*timingSafeEqual\(.*/g) ?? []);
  expect(comparing.flat()).toEqual(['  return a.length === b.length && timingSafeEqual(a, b);']);
});
