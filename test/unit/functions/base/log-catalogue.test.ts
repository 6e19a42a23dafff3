import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logCatalogue } from '../../../../functions/base/log-catalogue.ts';

const root = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'docs/reference/log-codes.md'), 'utf8');
const lines = [...page.matchAll(/^\| `([A-Z]+-\d+)` \| .+ \| (.+) \|$/gm)].map(
  ([, code = '', remedy = '']) => ({ code, remedy }),
);
const codes = Object.values(logCatalogue).map(({ code }) => code as string);

describe('the documentation page of log lines', () => {
  it('has each code of the catalogue once, and no other', () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(lines.map(({ code }) => code).sort()).toEqual(codes.sort());
  });

  it('says what to do about every error', () => {
    const errors = Object.values(logCatalogue).filter(({ level }) => level === 'error');
    const withoutRemedy = lines.filter(({ remedy }) => remedy.startsWith('Nothing')).map(({ code }) => code);
    expect(errors.map(({ code }) => code).filter((code) => withoutRemedy.includes(code))).toEqual([]);
  });
});
