import { lstatSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyTally, openImportLog } from '../../../../cli/imports/import-progress.ts';
import { playAnotherUser } from '../support/other-user.ts';
import { temporaryFiles } from '../support/temporary-directory.ts';

const write = temporaryFiles();
const identity = { file: 'hash', mapping: 'hash', pipeline: 'table' };

it('an import writes no rejected rows through a link that came with its folder', async () => {
  const other = write('other', 'of another program');
  const path = join(dirname(other), 'old.csv');
  const progress = { ...identity, tally: emptyTally, rejectedBytes: 3 };
  write('old.csv.import-progress', progress);
  symlinkSync(other, `${path}.rejected.jsonl`);
  await expect(openImportLog(path, identity, false)).rejects.toThrow(
    `${path}.rejected.jsonl cannot be written (ELOOP`,
  );
  expect(readFileSync(other, 'utf8')).toBe('of another program');

  const log = await openImportLog(path, identity, true);
  await log.checkpoint(emptyTally, [{ line: 2, reason: 'bad-time', row: {} } as never]);
  expect(readFileSync(other, 'utf8')).toBe('of another program');
  expect(lstatSync(`${path}.rejected.jsonl`).isFile()).toBe(true);
});

const rejected = [{ line: 2, reason: 'bad-time', row: { phone: '+12025550143' } } as never];

it('an import writes no rejected rows into a file that another user put there after it began', async () => {
  const path = write('put-there.csv', '');
  const log = await openImportLog(path, identity, false);
  writeFileSync(`${path}.rejected.jsonl`, '');
  await expect(log.checkpoint(emptyTally, rejected)).rejects.toThrow('cannot be written (EEXIST');
  expect(readFileSync(`${path}.rejected.jsonl`, 'utf8')).toBe('');
});

it('an import writes no rejected rows into a file that replaced its own', async () => {
  const path = write('replaced.csv', '');
  const log = await openImportLog(path, identity, false);
  await log.checkpoint(emptyTally, rejected);
  renameSync(`${path}.rejected.jsonl`, `${path}.moved`);
  writeFileSync(`${path}.rejected.jsonl`, '');
  await expect(log.checkpoint(emptyTally, rejected)).rejects.toThrow('was replaced by another file');
  expect(readFileSync(`${path}.rejected.jsonl`, 'utf8')).toBe('');
});

it('an import continues neither by the progress nor with the rejected rows of another user', async () => {
  const path = write('continued.csv', '');
  const log = await openImportLog(path, identity, false);
  await log.checkpoint(emptyTally, rejected);
  const stop = playAnotherUser(`${path}.import-progress`);
  await expect(openImportLog(path, identity, false)).rejects.toThrow(
    `${path}.import-progress belongs to another user`,
  );
  stop();
  const progress = readFileSync(`${path}.import-progress`);
  rmSync(`${path}.import-progress`);
  writeFileSync(`${path}.import-progress`, progress);
  playAnotherUser(`${path}.rejected.jsonl`);
  await expect(openImportLog(path, identity, false)).rejects.toThrow(/belongs to another user/);
});
