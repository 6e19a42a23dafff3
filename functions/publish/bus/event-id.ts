import { createHash } from 'node:crypto';

/**
 * Returns the id of a published fact. The same fact always has the same id, so that consumers can deduplicate.
 *
 * @param kind distinguishes different facts about one subject
 * @param parts the subject of the fact
 * @returns 32 hexadecimal digits: half of the SHA-256 of both as JSON
 */
export function busEventId(kind: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('hex')
    .slice(0, 32);
}
