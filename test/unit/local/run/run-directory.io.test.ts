import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a run rejects a folder with files of another program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  const started = promisify(execFile)(process.execPath, ['local/start.ts', '--dir', folder], {
    cwd: resolve(import.meta.dirname, '../../../..'),
  });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('holds other files (package.json)'),
  });
  expect(readdirSync(folder)).toEqual(['package.json']);
});
