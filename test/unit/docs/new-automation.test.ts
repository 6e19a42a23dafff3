import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stepsOfPage } from '../../support/walk-through.ts';

const root = join(import.meta.dirname, '../../..');
const steps = stepsOfPage();

it('the walk-through has new files and changes', () => {
  const files = steps.filter(({ content }) => typeof content === 'string');
  expect(files.length).toBeGreaterThan(3);
  expect(steps.length).toBeGreaterThan(files.length);
});

/** test/nightly/new-automation.test.ts checks what the steps make. */
it.each(steps)('the step in $path can be applied to this repository, or was applied', ({ path, content }) => {
  const file = join(root, path);
  if (typeof content === 'string') {
    if (existsSync(file)) expect(readFileSync(file, 'utf8')).toBe(content);
    return;
  }
  const text = readFileSync(file, 'utf8');
  const times = (lines: string) => text.split(lines).length - 1;
  for (const { before, after } of content)
    expect([times(before), times(after)], `the page shows these lines:\n${before}`).toContain(1);
});
