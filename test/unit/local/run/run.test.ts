import { chmodSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parseOptions } from '../../../../local/run/options.ts';
import { runLocally } from '../../../../local/run/run.ts';
import { Shutdown } from '../../../../local/run/shutdown.ts';
import { UserError } from '../../../../local/terminal/terminal.ts';
import { playAnotherUser } from '../../cli/support/other-user.ts';

describe('a run rejects', () => {
  const newFolder = () => mkdtempSync(join(tmpdir(), 'foreign-'));

  async function isRejected(folder: string, reason: string): Promise<void> {
    // Without Java, a run that accepts the folder starts nothing.
    vi.stubEnv('JAVA_HOME', '/nonexistent');
    const progress = { step() {}, note() {}, print() {} };
    const run = runLocally(parseOptions(['--dir', folder], folder), progress, new Shutdown());
    await expect(run).rejects.toThrow(UserError);
    await expect(run).rejects.toThrow(reason);
  }

  it('a folder with files of another program, and leaves it as it is', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'package.json'), '{}');
    await isRejected(folder, 'holds other files (package.json)');
    expect(readdirSync(folder)).toEqual(['package.json']);
  });

  it('a folder that others can write, because it executes what is there', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o777);
    await isRejected(folder, `${folder} can be written by other users of this machine`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a folder of another user', async () => {
    const folder = newFolder();
    playAnotherUser(folder);
    await isRejected(folder, `${folder} belongs to another user of this machine`);
  });

  it('a file', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await isRejected(file, `${file} cannot be used as a folder (EEXIST): give --dir another one`);
  });

  it('a folder with a file of another user', async () => {
    const folder = newFolder();
    const file = join(folder, 'processes.json');
    writeFileSync(file, '{}');
    playAnotherUser(file);
    await isRejected(folder, 'belongs to another user of this machine');
  });

  it('a folder with a link of another user', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'logs'));
    symlinkSync(join(folder, 'logs'), join(folder, 'cdk.out'));
    playAnotherUser(join(folder, 'cdk.out'));
    await isRejected(folder, 'belongs to another user of this machine');
  });
});
