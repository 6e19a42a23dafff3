import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyTally, openImportLog } from '../../../../cli/imports/import-progress.ts';
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
