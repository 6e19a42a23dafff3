import pMap from 'p-map';
import { type ItemPage, segments } from '../stores/history-items.ts';

/**
 * Reads parts at the same time, each page by page. If reading one fails, the others end after the page at hand.
 *
 * @param take returns false to end
 * @throws the first error, once every part has ended
 */
export async function readParts<P>(
  parts: readonly P[],
  pagesOf: (part: P) => AsyncIterable<ItemPage>,
  take: (part: P, page: ItemPage) => Promise<boolean>,
): Promise<void> {
  let isOver = false;
  const errors: unknown[] = [];
  await pMap(
    parts,
    async (part) => {
      try {
        for await (const page of pagesOf(part)) {
          if (isOver) return;
          if (!(await take(part, page))) isOver = true;
        }
      } catch (error) {
        isOver = true;
        errors.push(error);
      }
    },
    { concurrency: segments },
  );
  if (errors.length > 0) throw errors[0];
}
