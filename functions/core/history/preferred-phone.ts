/** A plus sign and digits: what the mapper writes for a number that it could read. */
const e164 = /^\+\d+$/;

/**
 * Chooses between the numbers that two views of one message name, whatever their order: E.164 before any other text, then the
 * smaller text.
 */
export function preferredPhone(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const isE164 = e164.test(a);
  if (isE164 !== e164.test(b)) return isE164 ? a : b;
  return a < b ? a : b;
}
