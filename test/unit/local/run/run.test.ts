import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseOptions } from '../../../../local/run/options.ts';
import { runLocally } from '../../../../local/run/run.ts';
import { Shutdown } from '../../../../local/run/shutdown.ts';
import { UserError } from '../../../../local/terminal/terminal.ts';

it('a run rejects a folder with files of another program, and leaves it as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  const progress = { step() {}, note() {}, print() {} };
  const run = runLocally(parseOptions(['--dir', folder], folder), progress, new Shutdown());
  await expect(run).rejects.toThrow(UserError);
  await expect(run).rejects.toThrow('holds other files (package.json)');
  expect(readdirSync(folder)).toEqual(['package.json']);
});
