import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codeBytes } from '../../../../../tools/bench/cold-start/variants.ts';

it('a bundle is as large as all code in its folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'variant-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { 'index.mjs': 30, 'handler.js': 500, 'package.json': 7 };
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), 'x'.repeat(bytes));
  expect(codeBytes(folder)).toBe(530);
});
