import { readFile } from 'node:fs/promises';
import type { Capture } from './capture.ts';
import { CaptureError } from './capture-error.ts';
import { parseHttpCaptures } from './capture-http.ts';
import { parseJsonCaptures } from './capture-json.ts';
import { CommandFailure } from './failures.ts';

/**
 * Reads requests that were written to a file: JSON where the file begins with a brace or a bracket, else raw HTTP/1.1.
 *
 * @param path of the file; "-" is stdin
 * @returns at least one request
 * @throws CommandFailure naming the file, the request and the line
 */
export async function readCaptureFile(path: string): Promise<readonly Capture[]> {
  const bytes = await readBytes(path);
  const name = path === '-' ? 'stdin' : path;
  try {
    return /^\s*[[{]/.test(bytes.subarray(0, 1024).toString('latin1'))
      ? parseJsonCaptures(bytes, name)
      : parseHttpCaptures(bytes, name);
  } catch (error) {
    if (error instanceof CaptureError) throw new CommandFailure(`${name}: ${error.message}`);
    throw error;
  }
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path === '-' ? '/dev/stdin' : path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    throw new CommandFailure(`${path}: cannot be read (${error.code}); --file names a file with requests`);
  }
}
