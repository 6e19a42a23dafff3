import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { endLine, itemLine, openFiles } from '../../../../cli/copies/file-copy.ts';
import type { ItemPage } from '../../../../cli/stores/history-items.ts';
import { temporaryFiles } from '../support/temporary-directory.ts';

const write = temporaryFiles();

/** An export of so many items, each with a text of so many characters. */
const exported = (items: number, characters = 1) =>
  Array.from({ length: items }, (_, index) =>
    itemLine({ pk: { S: `message#${index}` }, text: { S: 'x'.repeat(characters) } }),
  ).join('');

async function pagesOf(path: string, from?: string): Promise<readonly ItemPage[]> {
  const { pages } = await openFiles([path]);
  const found: ItemPage[] = [];
  for await (const page of pages(path, from)) found.push(page);
  return found;
}

describe('a file of a copy', () => {
  it('is whole also if a join continues in its middle', async () => {
    const path = write('whole.jsonl', exported(2500) + endLine(2500));
    const [first, ...others] = await pagesOf(path);
    expect(first?.items).toHaveLength(1000);
    const rest = await pagesOf(path, first?.next);
    expect(rest).toEqual(others);
    expect(rest.map(({ items, doubt }) => [items.length, doubt])).toEqual([
      [1000, undefined],
      [500, undefined],
    ]);
  });

  it('that lost lines is doubtful also then', async () => {
    const path = write('changed.jsonl', exported(1500) + endLine(1600));
    const [first] = await pagesOf(path);
    expect((await pagesOf(path, first?.next)).at(-1)?.doubt).toBe(
      `${path} has 1500 items, and its last line says 1600, so it was changed.`,
    );
  });

  it('is read in pages of 4 MB, so that large items do not fill the memory', async () => {
    const path = write('large.jsonl', exported(25, 400_000) + endLine(25));
    expect((await pagesOf(path)).map(({ items }) => items.length)).toEqual([10, 10, 5]);
  });

  it('has each of its characters searched for the end of a line once, however long the line is', async () => {
    const path = write('long.json.gz', gzipSync(exported(2, 2_000_000)));
    const split = vi.spyOn(String.prototype, 'split');
    await pagesOf(path);
    const searched = split.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
    split.mockRestore();
    expect(searched).toBeLessThan(4_100_000);
  });

  it('that holds one line without an end is refused before it fills the memory', async () => {
    const path = write('bomb.json.gz', gzipSync(Buffer.alloc(32 * 1024 * 1024, 'a')));
    await expect(pagesOf(path)).rejects.toThrow(
      `${path} has a line of more than 8000000 characters. Expected one item a line`,
    );
  });
});
