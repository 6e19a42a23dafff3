import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../../../cli/output/replace-file.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const folder = temporaryDirectory();

it('a link where the new file is written first is not followed', async () => {
  const [path, other] = [join(folder, 'progress.json'), join(folder, 'other')];
  writeFileSync(other, 'of another user');
  symlinkSync(other, `${path}.new`);
  await replaceFile(path, 'mine');
  expect([readFileSync(other, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['of another user', 'mine']);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
});
