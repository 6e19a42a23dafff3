import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logCatalogue } from '../../../../functions/runtime/log-catalogue.ts';

const root = join(import.meta.dirname, '../../../..');
const rows = readFileSync(join(root, 'docs/logging.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]+-\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const entries = Object.entries(logCatalogue);
const sources = globSync('functions/**/*.ts', { cwd: root })
  .filter((file) => !/runtime\/log-catalogue\.ts$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'));

/** Names of the fields that are given where a line is written. */
function fieldsOf(name: string): string[] {
  return sources.flatMap((source) =>
    [...source.matchAll(new RegExp(`'${name}',\\s*\\{([^}]*)\\}`, 'g'))].flatMap(([, fields = '']) =>
      fields.split(/[,\n]/).flatMap((field) => /^\s*(\w+)\s*(?::|$)/.exec(field)?.[1] ?? []),
    ),
  );
}

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

  it.each(entries)('has the fields of %s, which some code writes', (name, { code }) => {
    expect(sources.join('\n')).toContain(`'${name}'`);
    const fields = rows.find(([, documented]) => documented === code)?.[6] ?? '';
    for (const field of fieldsOf(name)) expect(fields).toContain(`\`${field}\``);
  });

  it('is checked against the fields of each line in the code', () => {
    expect(fieldsOf('PUBLISH_REFUSED')).toEqual(['kind', 'id', 'error']);
  });
});
