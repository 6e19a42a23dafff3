import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceCode } from '../../../../../tools/drills/alarms/replace-code.ts';

const folderWith = (files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'replace-code-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};
const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

it.each([{ 'index.js': 'right' }, { 'index.mjs': 'right', 'handler.js': 'loaded by it' }])(
  'puts code where Lambda takes it first, and back what was there: %o',
  (files) => {
    const folder = folderWith(files);
    const putBack = replaceCode(folder, 'broken');
    expect(filesIn(folder)).toEqual({ ...files, 'index.js': 'broken' });
    putBack();
    expect(filesIn(folder)).toEqual(files);
  },
);
