import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
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

  it('are those of a page that is no older than its sources', () => {
    const root = temporaryDirectory();
    for (const name of ['build/console', 'console/pages']) mkdirSync(join(root, name), { recursive: true });
    const built = join(root, 'build/console/index.html');
    for (const source of ['console/pages/sends.tsx', 'package-lock.json']) {
      for (const file of [built, join(root, source)]) writeFileSync(file, '');
      utimesSync(built, 1000, 1000);
      utimesSync(join(root, source), 1000, 1000);
      expect(pageFolder(root)).toBe(join(root, 'build/console'));
      utimesSync(join(root, source), 1001, 1001);
      expect(pageFolder(root)).toBeUndefined();
      utimesSync(join(root, source), 1000, 1000);
    }
  });

  it('are never outside of its folder', async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'page'));
    writeFileSync(join(root, 'secret.txt'), 'secret');
    writeFileSync(join(root, 'page/index.html'), 'page');
    const page = join(root, 'page');
    const read = async (path: string) => {
      const file = await readPageFile(page, path);
      return file && Buffer.from(file.content).toString();
    };
    for (const path of ['/../secret.txt', '/a/../../secret.txt', '//../secret.txt', '/..%2fsecret.txt'])
      expect(await read(path)).toBe('page');
    for (const path of ['/assets/..', '/assets/.', '/assets/missing.js', '/secret.txt'])
      expect(await read(path)).toBeUndefined();
    for (const path of ['/messages/abc.def', '/sends/spring.2026', '/sends/a.b/messages.csv'])
      expect(await read(path)).toBe('page');
  });
});
