import { constants, unzipSync } from 'node:zlib';

/** A request holds 256 KiB; JSON seldom shrinks to less than a twentieth. A body that was made to burst ends here. */
export const maxInflatedBytes = 8 * 1024 * 1024;

/** Less than this holds no number. */
const minCompressedBytes = 12;

/** A checksum and a length, behind the data of gzip. */
const trailerBytes = 8;

/**
 * What a body holds that is itself compressed, as gzip (RFC 1952) or zlib (RFC 1950). Of one that is broken or holds more than
 * {@link maxInflatedBytes} a beginning: the longest of the whole without its checksum, its first half, quarter and so on that can be read.
 *
 * @returns undefined where the bytes are not compressed
 */
export function inflate(bytes: Uint8Array): Uint8Array | undefined {
  if (!isCompressed(bytes)) return undefined;
  for (const length of lengthsOf(bytes)) {
    try {
      return unzipSync(bytes.subarray(0, length), {
        // What ends early is read as far as it goes.
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: maxInflatedBytes,
      });
    } catch {
      // A shorter part may be readable.
    }
  }
  return undefined;
}

function* lengthsOf({ length }: Uint8Array): Generator<number, void> {
  yield length;
  for (let part = length - trailerBytes; part >= minCompressedBytes; part = Math.floor(part / 2)) yield part;
}

function isCompressed([first = 0, second = 0]: Uint8Array): boolean {
  const isGzip = first === 0x1f && second === 0x8b;
  const isZlib = (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;
  return isGzip || isZlib;
}
