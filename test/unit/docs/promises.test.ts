import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, section = ''] = /## What it promises\n(.*?)\n## /s.exec(readme) ?? [];

it('each promise of the README leads to one test of its own, and each test in test/promises proves one of them', () => {
  const [, ...promises] = section.split(/^- /m);
  const tests = promises.map((promise) => promise.match(/test\/promises\/[\w-]+\.test\.ts/g));
  expect(tests).not.toContain(null);
  expect(tests.every((links) => links?.length === 1)).toBe(true);
  expect(tests.flat().sort()).toEqual(globSync('test/promises/*.test.ts', { cwd: root }).sort());
});
