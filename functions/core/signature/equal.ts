import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time for a given length; the length of a signature is no secret. */
export function equal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
