import { withHistoryIds } from '../../contract/events/source-id.ts';

/**
 * Gives the ids in an answer their source, as in `backup/msg-1`: pages show them so, link by them, and ask for them. For `JSON.parse`.
 *
 * @param value an entry of an answer, which names its source unless that is `main`
 */
export function withSources(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('source' in value)) return value;
  const entry: { readonly source: unknown; readonly messageId?: string } = value;
  return typeof entry.source === 'string' ? withHistoryIds(entry.source, entry) : value;
}

/** An id from which a number can be found is encrypted for viewers who may not see it. */
const maskedId = /masked-id\.[\w-]+/;

/** Whether the server masked an id, such as `backup/masked-id.…`. */
export const isMaskedId = (id: string): boolean => maskedId.test(id);

/** Returns an id as lists and titles show it. Masked ids are long and begin alike, so they have only their end: `•••k3f9Qa`. */
export const shortId = (id: string): string => id.replace(maskedId, (masked) => `•••${masked.slice(-6)}`);
