import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logCatalogue } from '../../../../functions/runtime/log-catalogue.ts';

const root = join(import.meta.dirname, '../../../..');
const rows = readFileSync(join(root, 'docs/reference/log-codes.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]+-\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const entries = Object.entries(logCatalogue);

describe('the documentation page of log lines', () => {
  it('has each code of the catalogue once, and no other', () => {
    const codes = entries.map(([, { code }]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(rows.map(([, code]) => code).sort()).toEqual(codes.sort());
  });

  it.each(entries)('has the level, message, cause and remedy of %s', (_, entry) => {
    const [, , level, message, when, action] = rows.find(([, code]) => code === entry.code) ?? [];
    expect([level, message]).toEqual([entry.level, entry.message]);
    expect(when).toMatch(/\w{2}/);
    expect(action).toMatch(/\w{2}/);
  });
});
