import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import {
  type Capture,
  headerMap,
  headerNamed,
  isCaptureTime,
  urlOf,
} from '../../contract/discovery/captured/capture.ts';
import { CommandFailure } from '../target/errors.ts';

/** What is wrong with a file of captured requests; the message says which request and line, and never what it holds. */
class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

const requestLine = /^([A-Z]{1,20}) +(\S+)(?: +HTTP\/\d(?:\.\d)?)?$/;
const headerLine = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*(.*?)[ \t]*$/;
const comment = /^(?:#(?!##)|\/\/)/;
const receivedAtComment = /^(?:#|\/\/) *@receivedAt +(\S+)$/;

interface Line {
  /** Without its line break. */
  readonly text: string;
  /** Where the next line begins. */
  readonly next: number;
}

/**
 * Reads raw HTTP/1.1 requests, several of them with a line `###` between: request line, headers, a blank line, the body. Lines
 * may end in CRLF or LF. Lines before the request line that begin with `#` are comments; `# @receivedAt <ISO 8601>` says when
 * it came.
 *
 * The body is kept byte for byte. Content-Length says where it ends; without that header one final line break, which editors
 * add, does not belong to it.
 *
 * @param name of the file, for the names of the requests
 * @throws CaptureError naming the request and the line
 */
function parseHttpCaptures(bytes: Uint8Array, name: string): readonly Capture[] {
  // Every byte one character, so that places in the text are places in the bytes.
  const text = Buffer.from(bytes).toString('latin1');
  const captures: Capture[] = [];
  let at = 0;
  while (at < text.length) {
    const found = readRequest(text, at, captures.length + 1, name);
    if (found === undefined) break;
    captures.push(found.capture);
    at = found.next;
  }
  if (captures.length === 0)
    throw new CaptureError('no request found: expected a line such as "POST /webhooks/sms HTTP/1.1"');
  return captures;
}

function readRequest(
  text: string,
  start: number,
  number: number,
  name: string,
): { readonly capture: Capture; readonly next: number } | undefined {
  const fail = (at: number, message: string) =>
    new CaptureError(`request ${number}, line ${lineNumber(text, at)}: ${message}`);
  let at = start;
  let receivedAt: string | undefined;
  let line = lineAt(text, at);
  while (line.text.trim() === '' || /^###/.test(line.text) || comment.test(line.text)) {
    const time = receivedAtComment.exec(line.text.trimEnd())?.[1];
    if (time !== undefined && !isCaptureTime(time))
      throw fail(at, '@receivedAt: expected a time such as 2026-01-15T12:00:05Z');
    receivedAt = time ?? receivedAt;
    at = line.next;
    if (at >= text.length) return undefined;
    line = lineAt(text, at);
  }
  const request = requestLine.exec(line.text.trimEnd());
  if (request === null) throw fail(at, 'expected a request line such as "POST /webhooks/sms HTTP/1.1"');
  const [, method = '', target = ''] = request;
  const requestAt = at;

  const headers: [string, string][] = [];
  for (at = line.next; at < text.length; at = line.next) {
    line = lineAt(text, at);
    if (line.text === '' || line.text.startsWith('###')) break;
    const [, header, value = ''] = headerLine.exec(line.text) ?? [];
    if (header === undefined)
      throw fail(
        at,
        'expected a header such as "Content-Type: application/json", or a blank line before the body',
      );
    headers.push([header, Buffer.from(value, 'latin1').toString()]);
  }
  const all = headerMap(headers);
  if (headerNamed(all, 'transfer-encoding')?.toLowerCase().includes('chunked') === true)
    throw fail(at, 'the body is in chunks (Transfer-Encoding): write it without, and remove that header');
  const url = urlOf(target, all);
  if (url === undefined) throw fail(requestAt, 'expected a URL, or a path and a header Host');
  const bodyAt = Math.min(line.text === '' ? line.next : at, text.length);
  const length = headerNamed(all, 'content-length');
  const body = bodyOf(text, bodyAt, length);
  if (body === undefined) {
    const wrong = /^\d{1,9}$/.test(length ?? '')
      ? `Content-Length is ${length}, and the body is of another length`
      : 'Content-Length is no number of bytes';
    throw fail(
      bodyAt,
      `${wrong}: signatures cover the very bytes. Was the file edited? Remove that header to take the body as it is.`,
    );
  }
  return {
    capture: {
      name: `${name}, request ${number}`,
      method,
      url,
      headers: all,
      body: Buffer.from(text.slice(bodyAt, body.end), 'latin1'),
      ...(receivedAt === undefined ? {} : { receivedAt: new Date(receivedAt).toISOString() }),
    },
    next: body.next,
  };
}

/** Where a body ends and what comes after it begins; undefined where it is not as long as its header says. */
function bodyOf(
  text: string,
  start: number,
  length: string | undefined,
): { readonly end: number; readonly next: number } | undefined {
  const separator = /^###/m;
  if (length === undefined) {
    const after = text.slice(start).search(separator);
    const next = after === -1 ? text.length : start + after;
    const lineBreak = /\r?\n$/.exec(text.slice(start, next))?.[0] ?? '';
    return { end: next - lineBreak.length, next };
  }
  const end = start + Number(length);
  if (!/^\d{1,9}$/.test(length) || end > text.length) return undefined;
  return /^(?:\s*$|(?:\r?\n)+###)/.test(text.slice(end)) ? { end, next: end } : undefined;
}

function lineAt(text: string, start: number): Line {
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end === -1 ? text.length : end);
  return { text: line.replace(/\r$/, ''), next: end === -1 ? text.length : end + 1 };
}

function lineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

const rawBody =
  'expected the body as text, exactly as it came: a signature covers its bytes; "bodyBase64" takes any bytes';

const captureSchema = z
  .strictObject({
    method: z
      .string()
      .regex(/^[A-Z]{1,20}$/, 'expected a method such as "POST"')
      .default('POST'),
    url: z.string(),
    headers: z.record(
      z.string(),
      z.union([z.string(), z.array(z.string())], 'expected a text or a list of texts'),
    ),
    body: z.string(rawBody).optional(),
    bodyBase64: z.base64('expected base64').optional(),
    receivedAt: z.string().refine(isCaptureTime, 'expected a time such as "2026-01-15T12:00:05Z"').optional(),
    masked: z.boolean().optional(),
    id: z.string().optional(),
  })
  .refine(({ body, bodyBase64 }) => (body === undefined) !== (bodyBase64 === undefined), {
    path: ['body'],
    message: 'expected either "body" or "bodyBase64"',
  });

/**
 * Reads requests that were written as JSON: one, or a list of them.
 *
 * @param name of the file, for the names of the requests
 * @throws CaptureError naming the request and the key; never with what the file holds
 */
function parseJsonCaptures(bytes: Uint8Array, name: string): readonly Capture[] {
  const parsed = [parseJson(Buffer.from(bytes).toString())].flat();
  if (parsed.length === 0) throw new CaptureError('no request found: the list is empty');
  return parsed.map((value, index) => readCapture(value, index + 1, name));
}

function readCapture(value: unknown, number: number, file: string): Capture {
  const read = captureSchema.safeParse(value);
  if (!read.success)
    throw new CaptureError(
      read.error.issues
        .map(
          ({ path, message }) =>
            `request ${number}, ${path.map(String).join('.') || 'as a whole'}: ${message}`,
        )
        .join('\n  '),
    );
  const { method, body, bodyBase64 = '', receivedAt, masked, id } = read.data;
  const headers = headerMap(
    Object.entries(read.data.headers).flatMap(([name, values]) =>
      [values].flat().map((one) => [name, one] as const),
    ),
  );
  const url = urlOf(read.data.url, headers);
  if (url === undefined)
    throw new CaptureError(`request ${number}, url: expected a URL, or a path and a header Host`);
  return {
    name: `${file}, request ${number}`,
    method,
    url,
    headers,
    body: body === undefined ? Buffer.from(bodyBase64, 'base64') : Buffer.from(body),
    ...(receivedAt === undefined ? {} : { receivedAt: new Date(receivedAt).toISOString() }),
    ...(masked === undefined ? {} : { masked }),
    ...(id === undefined ? {} : { id }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the error quotes the file, which may hold numbers: only the place is told.
    const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw new CaptureError(`not JSON${line === undefined ? '' : ` from line ${line} on`}`);
  }
}

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
