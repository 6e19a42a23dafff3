/** Returns whether a value of JSON is an object, with fields by name. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of a text of JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON, with the digits of long numbers kept as text. It ignores a byte-order mark in front (RFC 8259, section 8.1), so that all readers of a
 * body agree whether it is JSON.
 *
 * @returns undefined if the text is not JSON
 */
export function parseExactly(received: string): unknown {
  const text = received.replace(/^\ufeff/, '');
  const value = parseJson(text);
  if (value === undefined || !mayBeInexact.test(text)) return value;
  // A reviver would be called for each of the other values, and strangers send them.
  return parseJson(text.replace(textOrLongNumber, (found) => (isInexact(found) ? `"${found}"` : found)));
}

/** A number that JavaScript may change has 16 digits or an exponent. */
const mayBeInexact = /(?:[:[,]\s*|^\s*)-?(?:[\d.]{16}|\d[\d.]{0,15}[eE])/;

/** The texts of valid JSON, and its numbers with 16 characters or an exponent. */
const textOrLongNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:\d[\d.]*[eE][+-]?\d+|\d[\d.]{15,})/g;

/** JavaScript keeps 15 digits of any decimal number. */
const exactDigits = 15;
const minInexact = 1_000_000;

/** Returns whether a number of many digits, such as `12345678901234567.0` or `1.2e19`, stays as it is written: it is probably an id, and a JavaScript number would lose digits. */
function isInexact(source: string): boolean {
  if (source.startsWith('"')) return false;
  const value = Number(source);
  const isLong = /^-?\d{16,}$/.test(source) || Math.abs(value) > Number.MAX_SAFE_INTEGER;
  // A price has more decimals than digits in front of them.
  return isLong || (Math.abs(value) >= minInexact && source.replace(/\D/g, '').length > exactDigits);
}

/** Events of message services never nest deeper. A deeper body is an attack on recursive code. */
export const maxBodyDepth = 64;

/** Returns whether a value of JSON has more levels of objects and lists than a limit. It does not recurse, so any depth is safe. */
export function isDeeperThan(limit: number, root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

/**
 * Returns whether a value of JSON has an object with a `length` that is no number. The limits of Zod compare the length of any value, also of
 * one that is no text and no list, and throw for `{"length": {"toString": null}}`.
 */
export function hasOddLength(root: unknown): boolean {
  let level: unknown[] = [root];
  while (level.length > 0) {
    const objects = level.filter((value): value is object => typeof value === 'object' && value !== null);
    if (
      objects.some((value) => 'length' in value && typeof value.length === 'object' && value.length !== null)
    )
      return true;
    level = objects.flatMap((value) => Object.values(value));
  }
  return false;
}

/** Says why a text is not JSON, without the part of the text that the error quotes: the file of another person may lead to a secret. */
export function whyNoJson({ message }: SyntaxError): string {
  const quote = message.search(/, (?:\.\.\.)?"/);
  return quote < 0 ? message : message.slice(0, quote);
}
