import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { commandLine } from '../support/harness.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

it('sms target replaces a link that came with the folder, and does not write through it', async () => {
  const folder = temporaryDirectory();
  const other = join(folder, 'other');
  writeFileSync(other, 'of another program');
  symlinkSync(other, join(folder, '.smsrc'));
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
  expect((await commandLine({}).sms('target', 'local')).code).toBe(0);
  expect(readFileSync(other, 'utf8')).toBe('of another program');
  expect(readFileSync(join(folder, '.smsrc'), 'utf8')).toBe('local\n');
  expect(lstatSync(join(folder, '.smsrc')).mode & 0o777).toBe(0o644);
});
