import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { applyStep, stepsOfPage } from '../../support/walk-through.ts';

const root = join(import.meta.dirname, '../../..');
const steps = stepsOfPage();

it('the walk-through has new files and changes', () => {
  const files = steps.filter(({ content }) => typeof content === 'string');
  expect(files.length).toBeGreaterThan(3);
  expect(steps.length).toBeGreaterThan(2 * files.length);
});

/** test/nightly/new-automation.test.ts checks what the steps make. */
it.each(steps)('the step in $path can be applied to this repository', (step) => {
  const isNew = typeof step.content === 'string';
  expect(existsSync(join(root, step.path))).toBe(!isNew);
  const folder = mkdtempSync(join(tmpdir(), 'step-'));
  mkdirSync(dirname(join(folder, step.path)), { recursive: true });
  if (!isNew) cpSync(join(root, step.path), join(folder, step.path));
  applyStep(folder, step);
});
