import { createHash } from 'node:crypto';

/**
 * The id of a published fact: the same for the same fact, so that consumers can tell repeats.
 *
 * @param kind keeps different facts about one thing apart
 * @param parts what the fact is about
 * @returns 32 hexadecimal digits: half of the SHA-256 of both as JSON
 */
export function busEventId(kind: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('hex')
    .slice(0, 32);
}
