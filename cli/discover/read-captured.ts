import pMap from 'p-map';
import type { QuarantineReader } from '../../functions/adapters/quarantine-reader.ts';
import type { BoundedRange } from '../../functions/core/history/listing.ts';
import { type QuarantinedEntry, wasCaptured } from '../../functions/core/quarantine.ts';
import type { Capture } from '../capture.ts';
import { readPages } from '../list/read-pages.ts';

/** Why requests are kept whole, with their headers. */
const reasons = ['captured', 'signature-mismatch'] as const;

/**
 * The newest requests that were kept with all their headers: those captured, and those whose signature fitted no secret.
 *
 * @param last how many at most
 */
export async function readCaptured(
  quarantine: QuarantineReader,
  range: BoundedRange,
  last: number,
): Promise<readonly Capture[]> {
  const lists = await Promise.all(
    reasons.map(async (reason) => {
      const ids: { readonly id: string; readonly receivedAt: string }[] = [];
      const pages = readPages((page) => quarantine.list({ ...range, reason }, page), {
        limit: Number.POSITIVE_INFINITY,
      });
      for await (const { entries } of pages) {
        ids.push(...entries);
        if (ids.length >= last) break;
      }
      return ids;
    }),
  );
  const newest = lists
    .flat()
    .sort((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1))
    .slice(0, last);
  const entries = await pMap(newest, ({ id }) => quarantine.entry(id), { concurrency: 10 });
  return entries.flatMap((entry) => {
    const capture = entry === undefined ? undefined : captureOf(entry);
    return capture === undefined ? [] : [capture];
  });
}

/** Undefined where it was not kept whole. */
function captureOf(entry: QuarantinedEntry): Capture | undefined {
  const { id, receivedAt, index, raw, headers, url, method } = entry;
  if (headers === undefined || url === undefined || index !== undefined) return undefined;
  const masked = wasCaptured(entry);
  return { name: id, method: method ?? 'POST', url, headers, body: raw, receivedAt, masked, id };
}
