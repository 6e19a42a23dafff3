import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { maskNumbers } from '../../contract/phone/mask.ts';
import {
  type Capture,
  headerMap,
  headerNamed,
  isCaptureTime,
  urlOf,
} from '../../discovery/captured/capture.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';
import { sanitize } from '../text/sanitize.ts';
import { isCurlTranscript, readCurlTranscript } from './curl-captures.ts';
import { exportedCaptures } from './exported-captures.ts';

/** A problem of a file of captured requests. The message names the request and the line, never the file's content. */
class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

const requestLine = /^([A-Z]{1,20}) +(\S+)(?: +HTTP\/\d(?:\.\d)?)?$/;
const headerLine = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):(.*)$/;
const comment = /^(?:#(?!##)|\/\/)/;
const receivedAtComment = /^(?:#|\/\/) *@receivedAt +(\S+)$/;

interface Line {
  /** Without its line break. */
  readonly text: string;
  /** Where the next line begins. */
  readonly next: number;
}

/**
 * Reads raw HTTP/1.1 requests that are separated by lines `###`: request line, headers, a blank line, the body. Lines may end
 * in CRLF or LF. Lines before the request line that begin with `#` are comments; `# @receivedAt <ISO 8601>` sets the receipt
 * time.
 *
 * The body is kept byte for byte. Content-Length defines its end. Without that header the body excludes one final line break,
 * which editors add.
 *
 * @param name of the file, for the names of the requests
 */
function parseHttpCaptures(bytes: Uint8Array, name: string): readonly Capture[] {
  // In Latin-1 every byte is one character, so that positions in the text are positions in the bytes.
  const text = Buffer.from(bytes).toString('latin1');
  const captures: Capture[] = [];
  let at = 0;
  while (at < text.length) {
    const request = readRequest(text, at, captures.length + 1, name);
    if (request === undefined) break;
    captures.push(request.capture);
    at = request.next;
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
    headers.push([header, Buffer.from(value, 'latin1').toString().trim()]);
  }
  const all = headerMap(headers);
  if (headerNamed(all, 'transfer-encoding')?.toLowerCase().includes('chunked') === true)
    throw fail(
      at,
      'the body is chunked (Transfer-Encoding): write it without chunks, and remove that header',
    );
  const url = urlOf(target, all);
  if (url === undefined) throw fail(requestAt, 'expected a URL, or a path and a header Host');
  const bodyAt = Math.min(line.text === '' ? line.next : at, text.length);
  const length = headerNamed(all, 'content-length');
  const body = bodyOf(text, bodyAt, length);
  if (body === undefined) {
    const wrong = /^\d{1,9}$/.test(length ?? '')
      ? `Content-Length is ${length}, and the body has another length`
      : 'Content-Length is not a number of bytes';
    throw fail(
      bodyAt,
      `${wrong}. A signature covers the exact bytes: was the file edited? Remove that header to use the body as it is.`,
    );
  }
  return {
    capture: {
      name: `${name}, request ${number}`,
      method,
      url,
      headers: all,
      body: Buffer.from(text.slice(bodyAt, body.end), 'latin1'),
      ...omitUndefined({ receivedAt: receivedAt && new Date(receivedAt).toISOString() }),
    },
    next: body.next,
  };
}

/** Finds the end of a body and the next request; returns undefined for a body that does not have the length of its header. */
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
  'expected the body as text, exactly as received, because a signature covers its bytes; "bodyBase64" accepts any bytes';

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

/** Reads requests in JSON: one or a list, or an export of another tool. @param name of the file, for the names of the requests */
function parseJsonCaptures(bytes: Uint8Array, name: string): readonly Capture[] {
  const json = parseJson(Buffer.from(bytes).toString());
  const exported = exportedCaptures(json);
  const parsed = exported ?? [json].flat();
  if (parsed.length === 0)
    throw new CaptureError(
      exported === undefined
        ? 'no request found: the list is empty'
        : 'no request found: the export holds none with a body or a query',
    );
  return parsed.map((value, index) => {
    const capture = readCapture(value, index + 1, name);
    const length = headerNamed(capture.headers, 'content-length');
    if (exported !== undefined && length !== undefined && capture.body.length < Number(length))
      throw new CaptureError(
        `request ${index + 1}: the body has ${capture.body.length} bytes, and its Content-Length is larger: the tool that exported it cut or dropped it`,
      );
    return capture;
  });
}

/** Reads a transcript of `curl -v`. @param name of the file, for the names of the requests */
function parseCurlCaptures(bytes: Uint8Array, name: string): readonly Capture[] {
  const requests = readCurlTranscript(Buffer.from(bytes).toString());
  if (requests.length === 0)
    throw new CaptureError('no request found: the command line of curl has no URL, or a quote is not closed');
  return requests.map(({ line, method, target, headers, body }, index) => {
    const fail = (message: string) => new CaptureError(`request ${index + 1}, line ${line}: ${message}`);
    if (body === undefined)
      throw fail(
        'curl does not print the body that it sends: put the command line with its -d above what it printed, with the data itself and no @file',
      );
    const all = headerMap(headers);
    const url = urlOf(target, all);
    if (url === undefined) throw fail('expected a URL, or a path and a header Host');
    return { name: `${name}, request ${index + 1}`, method, url, headers: all, body: Buffer.from(body) };
  });
}

function readCapture(value: unknown, number: number, file: string): Capture {
  const read = captureSchema.safeParse(value);
  if (!read.success)
    throw new CaptureError(
      read.error.issues
        // A key that is not known may be anything.
        .map(({ path, message }) => {
          const place = path.map(String).join('.') || 'as a whole';
          return `request ${number}, ${maskNumbers(sanitize(`${place}: ${message}`))}`;
        })
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
    ...omitUndefined({ receivedAt: receivedAt && new Date(receivedAt).toISOString(), masked, id }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the error quotes the file, which may hold numbers. Only the line is shown.
    const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw new CaptureError(`not JSON${line === undefined ? '' : ` from line ${line} on`}`);
  }
}

/**
 * Reads captured requests from a file. A file that begins with a brace or a bracket is JSON: the project's own, or a HAR file, or an export
 * of ngrok or webhook.site. Any other file is a transcript of curl if it has a line of one, else raw HTTP/1.1.
 *
 * @param path of the file; "-" is stdin
 * @returns at least one request
 * @throws CommandFailure that names the file, the request and the line
 */
export async function readCaptureFile(path: string): Promise<readonly Capture[]> {
  const bytes = await explainFileErrors(
    (code) => `${path}: cannot be read (${code}); --file names a file with requests`,
    () => readFile(path === '-' ? '/dev/stdin' : path),
  );
  const name = path === '-' ? 'stdin' : path;
  try {
    if (/^\s*[[{]/.test(bytes.subarray(0, 1024).toString('latin1'))) return parseJsonCaptures(bytes, name);
    return isCurlTranscript(bytes.toString('latin1'))
      ? parseCurlCaptures(bytes, name)
      : parseHttpCaptures(bytes, name);
  } catch (error) {
    if (error instanceof CaptureError) throw new CommandFailure(`${name}: ${error.message}`);
    throw error;
  }
}
