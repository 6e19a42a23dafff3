import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';
import { shellQuoted } from '../text/format.ts';

/** The encodings of files that are read. UTF-16 is known by its byte order mark. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A file before its rows are read. */
export interface TextFile {
  readonly path: string;
  readonly encoding: Encoding;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** The number of its line breaks, which is about the number of its rows. */
  readonly lines: number;
  /** The first bytes, which hold the header. */
  readonly head: Uint8Array;
}

/** A line break. What follows a carriage return decides whether it is one, so the last character of a part is none yet. */
export const lineBreak = /\r?\n|\r(?=[^\n])/;

/** A header is not longer. */
const headBytes = 65_536;

/**
 * Reads a whole file once, a part at a time.
 *
 * @param describe says more about a file that is not UTF-8, from its first bytes
 * @throws CommandFailure for a file that cannot be read, is no regular file or is not text in a known encoding
 */
export async function inspectTextFile(
  path: string,
  describe: (head: Uint8Array) => string,
): Promise<TextFile> {
  return explainFileErrors(
    (code) => `${path}: cannot be read (${code})`,
    async () => {
      await refuseStreams(path);
      const head = await readHead(path);
      refuseBinary(path, head);
      const encoding = encodingOf(head);
      const hash = createHash('sha256');
      const decoder = new TextDecoder(encoding, { fatal: true });
      let lines = 0;
      try {
        for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
          hash.update(part);
          lines += decoder.decode(part, { stream: true }).split('\n').length - 1;
        }
        decoder.decode();
      } catch (error) {
        if (!isDecodingError(error)) throw error;
        if (encoding === 'utf-8') throw await notUtf8(path, describe(head));
        throw new CommandFailure(
          `${path}: the bytes after line ${lines} are not UTF-16, although the file begins with its byte order mark. The file is damaged or was cut off: export it again.`,
        );
      }
      return { path, encoding, hash: hash.digest('base64url'), lines, head };
    },
  );
}

/** Decodes a file, a part at a time and without its byte order mark. @throws CommandFailure if it is no longer text in its encoding */
export async function* readText({ path, encoding }: TextFile): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const file = createReadStream(path);
  try {
    for await (const part of file as AsyncIterable<Buffer>) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (isDecodingError(error)) throw new CommandFailure(`${path} has changed while it was read.`);
    throw error;
  } finally {
    file.destroy();
  }
}

/** Decodes the first bytes of a file. The last character may be cut off. */
export function headText({ head, encoding }: Pick<TextFile, 'head' | 'encoding'>): string {
  return new TextDecoder(encoding).decode(head, { stream: true });
}

/** Regular files in `/dev/shm` are in memory. */
const device = /^\/(?:dev\/(?!shm\/)|proc\/)/;

/** An import reads its file several times, and keeps its progress beside it. */
async function refuseStreams(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isDirectory()) throw new CommandFailure(`${path} is a folder. Expected a file.`);
  const isDevice = device.test(path) || device.test(await realpath(path));
  if (!found.isFile() || isDevice)
    throw new CommandFailure(
      `${path} is a pipe or a device. An import reads its file several times and keeps its progress beside it, so it needs a regular file: write the rows into one first, for example "... > old.csv".`,
    );
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Files that are named like a text but are not, by their first bytes. */
const binaries: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'a workbook (.xlsx) or another ZIP archive. Save the sheet as "CSV UTF-8", or unpack the archive',
  ],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old workbook (.xls). Save the sheet as "CSV UTF-8"'],
  [[0x1f, 0x8b], 'compressed with gzip. Decompress it first'],
];

function refuseBinary(path: string, head: Uint8Array): void {
  const binary = binaries.find(([bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (binary !== undefined) throw new CommandFailure(`${path} is ${binary[1]}.`);
  // A text of Latin letters in UTF-16 is half zeros. A single zero is a character of a text.
  const zeros = head.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  if (encodingOf(head) !== 'utf-8' || zeros * 4 < head.length || zeros === 0) return;
  // A letter of ASCII has its zero byte behind it in UTF-16LE, and before it in UTF-16BE.
  const encoding = head.indexOf(0) % 2 === 1 ? 'UTF-16LE' : 'UTF-16BE';
  throw new CommandFailure(
    `${path} has zero bytes, so it is probably UTF-16 without a byte order mark. Convert it: ${conversion(path, encoding)}`,
  );
}

function encodingOf(head: Uint8Array): Encoding {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Writes the command that converts a file to UTF-8. */
export function conversion(path: string, encoding: string): string {
  return `iconv -f ${encoding} -t UTF-8 ${shellQuoted(path)} > utf8.csv`;
}

async function notUtf8(path: string, description: string): Promise<CommandFailure> {
  const found = { lines: 0, bad: 0, first: 0 };
  const judge = (line: string) => {
    found.lines += 1;
    if (isUtf8(Buffer.from(line, 'latin1'))) return;
    found.bad += 1;
    if (found.bad === 1) found.first = found.lines;
  };
  let rest = '';
  // In Latin-1 each character is a byte.
  for await (const part of createReadStream(path, { encoding: 'latin1' }) as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(judge);
  }
  if (rest !== '') judge(rest);
  return new CommandFailure(
    `${path} is not UTF-8. Lines with other bytes: ${found.bad} of ${found.lines}, the first is line ${found.first}. Nothing was imported.\n${description}`,
  );
}

function isDecodingError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
