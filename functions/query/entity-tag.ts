import { createHash } from 'node:crypto';

/** A strong entity tag: the same for the same bytes, wherever and whenever they are answered. */
export function entityTagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/**
 * Whether `If-None-Match` holds a tag, compared weakly (RFC 9110, section 13.1.2).
 *
 * @param header a list of tags, or `*` for any
 */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, given]) => given === tag);
}
