import type { Capture } from './capture.ts';
import { CaptureError } from './capture-error.ts';
import { headerMap, headerNamed, isCaptureTime, urlOf } from './capture-parts.ts';

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
export function parseHttpCaptures(bytes: Uint8Array, name: string): readonly Capture[] {
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
