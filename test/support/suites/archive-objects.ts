import { beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveObjects } from '../../../functions/archive/archive.ts';

/** The promises of the archive's objects. @param create returns an empty archive */
export function archiveObjectsSuite(create: () => Promise<ArchiveObjects>): void {
  describe('the objects of an archive', () => {
    let objects: ArchiveObjects;
    beforeEach(async () => {
      objects = await create();
    });
    const add = (line: string) => (lines: readonly string[]) => [...lines, line];

    it('have no lines before the first write, and then those that were written', async () => {
      expect(await objects.read('items/2026-01/aa.jsonl.gz')).toEqual([]);
      await objects.rewrite('items/2026-01/aa.jsonl.gz', () => ['["é"]', '["b"]']);
      expect(await objects.read('items/2026-01/aa.jsonl.gz')).toEqual(['["é"]', '["b"]']);
      await objects.rewrite('items/2026-01/aa.jsonl.gz', () => []);
      expect(await objects.read('items/2026-01/aa.jsonl.gz')).toEqual([]);
    });

    it('lose no line of writers that change one object at the same time', async () => {
      const lines = ['a', 'b', 'c', 'd'];
      await Promise.all(lines.map((line) => objects.rewrite('ids/2026-01/00.jsonl.gz', add(line))));
      expect((await objects.read('ids/2026-01/00.jsonl.gz')).toSorted()).toEqual(lines);
    });

    it('are listed and removed by month', async () => {
      for (const name of ['items/2026-02/00', 'items/2026-01/00', 'ids/2026-01/01', 'items/2026-01/02'])
        await objects.rewrite(name, () => ['x']);
      expect(await objects.months('items')).toEqual(['2026-01', '2026-02']);
      expect(await objects.months('ids')).toEqual(['2026-01']);
      await objects.removeMonth('2026-01');
      expect(await objects.months('items')).toEqual(['2026-02']);
      expect(await objects.months('ids')).toEqual([]);
      expect(await objects.read('items/2026-02/00')).toEqual(['x']);
    });
  });
}
