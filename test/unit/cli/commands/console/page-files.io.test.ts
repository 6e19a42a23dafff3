import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPageFile } from '../../../../../cli/commands/console/page-files.ts';
import { pageFolder } from '../../../../../contract/document/console-page-store.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

describe('the files of the page', () => {
  it('are those of the repository, or else of the package', () => {
    const root = temporaryDirectory();
    expect(pageFolder(root)).toBeUndefined();
    for (const name of ['dist', 'build']) {
      mkdirSync(join(root, name, 'console'), { recursive: true });
      writeFileSync(join(root, name, 'console/index.html'), '');
      expect(pageFolder(root)).toBe(join(root, name, 'console'));
    }
  });

  it('are never outside of its folder', async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'page'));
    writeFileSync(join(root, 'secret.txt'), 'secret');
    writeFileSync(join(root, 'page/index.html'), 'page');
    const page = join(root, 'page');
    for (const path of ['/../secret.txt', '/a/../../secret.txt', '//../secret.txt'])
      expect(await readPageFile(page, path)).toBeUndefined();
    expect(Buffer.from((await readPageFile(page, '/..%2fsecret.txt'))?.content ?? '').toString()).toBe(
      'page',
    );
  });
});
