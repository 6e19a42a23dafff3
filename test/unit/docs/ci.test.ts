import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

it('README lists what .ci/run runs, in its order', () => {
  const run = [...read('.ci/run').matchAll(/^ *(np[mx] .+)$/gm)].map(([, command]) => command);
  const [sentence = ''] = /^`\.ci\/run` does .+$/m.exec(read('README.md')) ?? [];
  expect([...sentence.matchAll(/`(np[mx] .+?)`/g)].map(([, command]) => command)).toEqual(run);
  expect(run.length).toBeGreaterThan(0);
});
