import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deadLinks, unlinkDeadLinks } from '../../../../tools/package/links.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'links-'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/here.md'), 'Here.\n');
  writeFileSync(join(folder, 'docs/here.svg'), '<svg/>');
});
afterEach(() => rmSync(folder, { recursive: true }));

function packaged(text: string): string {
  const file = join(folder, 'docs/page.md');
  writeFileSync(file, text);
  unlinkDeadLinks(folder);
  expect(deadLinks(folder)).toEqual([]);
  return readFileSync(file, 'utf8');
}

it('a dead link becomes its text; links that lead somewhere stay', () => {
  expect(packaged('See [here](here.md#part), [there](there.md) and [Example](https://example.com).\n')).toBe(
    'See [here](here.md#part), there and [Example](https://example.com).\n',
  );
});

it('the line of a dead image is removed; images that are shipped stay', () => {
  expect(
    packaged('Before.\n\n![A dead one](../images/dead.png)\n\n![A live one](here.svg)\n\nAfter.\n'),
  ).toBe('Before.\n\n![A live one](here.svg)\n\nAfter.\n');
});

it('the pages of a folder name their dead links', () => {
  writeFileSync(join(folder, 'README.md'), '[page](docs/here.md) ![gone](docs/images/gone.png)\n');
  expect(deadLinks(folder)).toEqual(['README.md: [gone](docs/images/gone.png)']);
});
