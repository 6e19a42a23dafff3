import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
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
