import { isUtf8 } from 'node:buffer';
import { constants, unzipSync } from 'node:zlib';
import { isObject } from '../../contract/text/json.ts';

/** Encodings may be nested: JSON in a form field in a URL. */
const maxRounds = 3;

/** Matches JSON numbers with an exponent. */
const exponents = /(?<![\d.])\d{1,20}(?:\.\d{1,20})?e\+?\d{1,2}(?!\d)/gi;

/** Seven digits, the minimum of a search without a country code, are ten characters of base64. */
const base64 = /[A-Za-z0-9+/_-]{10,}/g;

/** Base64 that follows other characters of its alphabet may begin at any of these offsets of a run. */
const alignments = [0, 1, 2, 3] as const;

/**
 * A longer text, such as an inflated body, is read in windows, because expressions over very long runs exceed the stack. Each begins so
 * many UTF-16 units before the end of the one before, more than a number takes in any encoding.
 */
const windowSize = 300_000;
const overlap = 8_000;

/** The base64 of "|x|", which separates runs: no number or word spans it. */
const gap = 'fHh8';

/** A line that ends within base64 has at least this many characters of it; MIME has 76. */
const minLineCharacters = 16;

/**
 * Yields the possible meanings of a text from outside in any encoding: the text itself first, then with JSON's
 * and HTML's escapes (line breaks and tabs as spaces), percent-encoding and exponents of numbers (1.2025550143e10) resolved, and the content of
 * base64 in it, at any offset and with any line breaks. The text need not be well-formed. The work is linear in the length of
 * the text: at most 8 readings of the text itself, and of its base64 in at most 4 forms and 4 alignments.
 */
export function* readings(text: string): Generator<string, void> {
  for (const window of windowsOf(text)) yield* readingsOfWindow(window);
}

function* windowsOf(text: string): Generator<string, void> {
  for (let start = 0; start === 0 || start < text.length - overlap; start += windowSize - overlap)
    yield text.slice(start, start + windowSize);
}

/** The first bytes of gzip, 1f 8b 08, in base64. */
const gzipInBase64 = 'H4sI';

/** Returns whether gzip begins in base64 of a text. {@link readings} does not inflate it. */
export function hasGzipInBase64(text: string): boolean {
  return windowsOf(text).some((window) => {
    const decodedText = [...decoded(window)].at(-1) ?? window;
    return carriersOf(window, decodedText)
      .values()
      .some((carrier) => carrier.includes(gzipInBase64));
  });
}

function* readingsOfWindow(text: string): Generator<string, void> {
  let last = text;
  for (const reading of decoded(text)) {
    yield* withoutExponents(reading);
    last = reading;
  }
  for (const carrier of carriersOf(text, last))
    for (const alignment of alignments)
      for (const reading of decoded(decodeBase64(carrier, alignment))) yield* withoutExponents(reading);
}

/** Returns the forms of a text in which base64 may be uninterrupted. */
function carriersOf(text: string, decodedText: string): ReadonlySet<string> {
  // PHP writes the slashes of base64 with a backslash before them.
  const carriers = [text.replaceAll('\\/', '/'), decodedText];
  return new Set([...carriers, ...carriers.map(joinLines)]);
}

/** Removes line breaks, also escaped ones, within base64. */
function joinLines(text: string): string {
  return text.replace(/(?:\\[rn]|[\s\\])+/g, (lineBreak, offset: number) => {
    const before = text.slice(Math.max(0, offset - minLineCharacters), offset);
    return /^[A-Za-z0-9+/_-]{16}$/.test(before) ? '' : lineBreak;
  });
}

/** Decodes all runs of base64 from an offset, in one call because there may be very many. */
function decodeBase64(text: string, alignment: number): string {
  const runs: string[] = [];
  for (const [run] of text.matchAll(base64)) {
    const end = (run.length - alignment) % 4;
    // A single character beyond whole bytes has no meaning. Padding becomes NULs, which readings drop.
    runs.push(end === 1 ? run.slice(alignment, -1) : run.slice(alignment) + 'A'.repeat((4 - end) % 4), gap);
  }
  return Buffer.from(runs.join(''), 'base64').toString();
}

function* decoded(text: string): Generator<string, void> {
  // Text in UTF-16 that was read as UTF-8 has a NUL beside each character.
  let reading = text.replaceAll('\0', '');
  for (let round = 0; round <= maxRounds; round++) {
    yield reading;
    const next = decodeOnce(reading);
    if (next === reading) return;
    reading = next;
  }
}

function* withoutExponents(reading: string): Generator<string, void> {
  yield reading;
  const written = reading.replace(exponents, (number) => String(Number(number)));
  if (written !== reading) yield written;
}

function decodeOnce(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\/', '/')
    .replace(/\\[nrtfb]/g, ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replace(/&#(\d{1,7});/g, (_, digits: string) => character(Number(digits)))
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => character(Number.parseInt(hex, 16)))
    .replaceAll('&nbsp;', ' ');
}

function character(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
}

/** A request holds 256 KiB. The limits stop decompression bombs. */
export const maxInflatedBytes = 8 * 1024 * 1024;
/** Without a limit in proportion, bodies of 8 KiB that inflate a thousandfold would take eight times as long to search. */
export const maxInflatedRatio = 32;
/** So much is inflated in any proportion, because a batch of similar reports compresses to a fiftieth. */
export const minInflatedLimit = 1024 * 1024;

/** Shorter data cannot hold a number. */
const minCompressedBytes = 12;

/** The checksum and the length after the data of gzip, and the checksum after that of zlib. */
const trailerBytes = { gzip: 8, zlib: 4 } as const;

/** The content of a compressed body. */
export interface Inflated {
  readonly bytes: Uint8Array;
  /**
   * Whether `bytes` is all that is left of the content. If not, it is a beginning: the content is above {@link maxInflatedBytes}, or
   * above both {@link minInflatedLimit} and {@link maxInflatedRatio}, or it is damaged.
   */
  readonly isWhole: boolean;
}

/**
 * Inflates a body that is compressed as gzip (RFC 1952) or zlib (RFC 1950). For a damaged body, or one above the
 * limits, it returns a beginning: the longest readable of the whole without its checksum, its first half, quarter and so on.
 *
 * @returns undefined for bytes that are not compressed
 */
export function inflate(bytes: Uint8Array): Inflated | undefined {
  const format = formatOf(bytes);
  if (format === undefined) return undefined;
  const maxOutputLength = Math.min(
    maxInflatedBytes,
    Math.max(minInflatedLimit, maxInflatedRatio * bytes.length),
  );
  const withoutTrailer = bytes.length - trailerBytes[format];
  // A text may begin as zlib does. It is not damaged.
  const isText = isUtf8(bytes);
  let isTooLarge = false;
  for (const length of [bytes.length, ...halvesOf(withoutTrailer)]) {
    try {
      const inflated = unzipSync(bytes.subarray(0, length), {
        // This flush mode reads truncated data as far as possible.
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength,
      });
      return { bytes: inflated, isWhole: !isTooLarge && (length >= withoutTrailer || isText) };
    } catch (error) {
      // A shorter part may be readable.
      if (isObject(error) && error.code === 'ERR_BUFFER_TOO_LARGE') isTooLarge = true;
    }
  }
  return isText && !isTooLarge ? undefined : { bytes: new Uint8Array(), isWhole: false };
}

function* halvesOf(length: number): Generator<number, void> {
  for (let part = length; part >= minCompressedBytes; part = Math.floor(part / 2)) yield part;
}

function formatOf([first = 0, second = 0]: Uint8Array): keyof typeof trailerBytes | undefined {
  if (first === 0x1f && second === 0x8b) return 'gzip';
  const isZlib = (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;
  return isZlib ? 'zlib' : undefined;
}
