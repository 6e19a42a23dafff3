/** Encodings may lie in each other: JSON in a form field in a URL. */
const mostRounds = 3;

/** A number of JSON as some write large ones. */
const exponents = /(?<![\d.])\d{1,20}(?:\.\d{1,20})?e\+?\d{1,2}(?!\d)/gi;

/** Shorter runs of base64 hold no number. */
const base64 = /[A-Za-z0-9+/_-]{16,}/g;

/**
 * What a text from outside may say once it is decoded, in whatever format it is: the text itself first, then with JSON's
 * and HTML's escapes (line breaks and tabs as spaces), percent-encoding and exponents of numbers (1.2025550143e10) resolved, and what base64 in it holds.
 * Nothing has to be well-formed.
 */
export function* readings(text: string): Generator<string, void> {
  yield* decoded(text);
  // PHP writes the slashes of base64 with a backslash before them.
  for (const [run] of text.replaceAll('\\/', '/').matchAll(base64))
    yield* decoded(Buffer.from(run, 'base64').toString());
}

function* decoded(text: string): Generator<string, void> {
  // Text in UTF-16 that was read as UTF-8 has a NUL beside each character.
  let reading = text.replaceAll('\0', '');
  for (let round = 0; round <= mostRounds; round++) {
    yield reading;
    const next = decodeOnce(reading);
    if (next === reading) return;
    reading = next;
  }
}

function decodeOnce(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\/', '/')
    .replace(/\\[nrtfb]/g, ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replace(/&#(\d{1,7});/g, (_, digits: string) => character(Number(digits)))
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => character(Number.parseInt(hex, 16)))
    .replaceAll('&nbsp;', ' ')
    .replace(exponents, (number) => String(Number(number)));
}

function character(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
}
