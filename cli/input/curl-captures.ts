import { percentEncode } from '../../contract/text/percent-encode.ts';

/** One request of a transcript of `curl -v`: what curl printed, completed by its command line. */
export interface CurlRequest {
  /** The line of the file that it begins at, from 1 on. */
  readonly line: number;
  readonly method: string;
  /** A URL, or a path and a header Host. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Undefined if the transcript does not show the body: curl itself never prints it. */
  readonly body: string | undefined;
}

const commandStart = /^(?:[$%#>] ?)?curl(?:\.exe)? /;
const printedRequest = /^> ([A-Z]{1,20}) (\S+) HTTP\/\d(?:\.\d)?\s*$/;
const rawRequest = /^[A-Z]{1,20} +\S+(?: +HTTP\/\d(?:\.\d)?)?\s*$/;
const printedHeader = /^> ([A-Za-z0-9!#$%&'*+.^_`|~-]+): ?(.*)$/;

/** Recognises a transcript: before any raw request there is a command line of curl, or a request that curl printed. */
export function isCurlTranscript(text: string): boolean {
  const first = text
    .split('\n')
    .find((line) => commandStart.test(line) || printedRequest.test(line) || rawRequest.test(line));
  return first !== undefined && !rawRequest.test(first);
}

/** Reads the requests of a transcript. What curl printed wins over the command line, which lacks the headers that curl adds. */
export function readCurlTranscript(text: string): readonly CurlRequest[] {
  const lines = text.split('\n');
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const requests: CurlRequest[] = [];
  let command: CurlRequest | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (commandStart.test(line)) {
      if (command !== undefined) requests.push(command);
      const { words, next } = readWords(text, starts[at] ?? 0);
      command = commandRequest(words, at + 1);
      while ((starts[at + 1] ?? Number.POSITIVE_INFINITY) < next) at++;
    } else if (printedRequest.test(line)) {
      const [, method = '', target = ''] = printedRequest.exec(line) ?? [];
      const headers: (readonly [string, string])[] = [];
      let next = at + 1;
      for (
        let header = printedHeader.exec(lines[next] ?? '');
        header !== null;
        header = printedHeader.exec(lines[++next] ?? '')
      )
        headers.push([header[1] ?? '', header[2]?.trimEnd() ?? '']);
      requests.push({ line: at + 1, method, target, headers, body: command?.body ?? emptyBody(headers) });
      command = undefined;
      at = next - 1;
    }
  }
  return command === undefined ? requests : [...requests, command];
}

/** A request without a Content-Length and chunks has no body. */
function emptyBody(headers: CurlRequest['headers']): string | undefined {
  const hasBody = headers.some(
    ([name, value]) => (/^content-length$/i.test(name) && value !== '0') || /^transfer-encoding$/i.test(name),
  );
  return hasBody ? undefined : '';
}

/**
 * Splits a command into words as a POSIX shell does: quotes, escapes, `$'...'`, and lines that end in a backslash.
 *
 * @returns the words, and the place behind the command
 */
function readWords(text: string, start: number): { words: string[]; next: number } {
  const words: string[] = [];
  const piece =
    /\\\r?\n|\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|([ \t\r]+)|(\n)/gy;
  piece.lastIndex = start;
  let word: string | undefined;
  let next = text.length;
  for (const match of text.matchAll(piece)) {
    const [whole, ansi, single, double, escaped, plain, space, lineBreak] = match;
    const part =
      ansi === undefined
        ? (single ?? double?.replace(/\\(["\\$`\n])/g, '$1') ?? escaped ?? plain)
        : ansiText(ansi);
    if (part !== undefined) word = (word ?? '') + part;
    else if ((space !== undefined || lineBreak !== undefined) && word !== undefined) {
      words.push(word);
      word = undefined;
    }
    if (lineBreak !== undefined) {
      next = match.index + whole.length;
      break;
    }
  }
  if (word !== undefined) words.push(word);
  return { words, next };
}

function ansiText(text: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, unicode: string | undefined, hex: string | undefined, one: string = '') =>
      unicode !== undefined || hex !== undefined
        ? String.fromCharCode(Number.parseInt(unicode ?? hex ?? '', 16))
        : (escapes[one] ?? one),
  );
}

/** Options of curl with a value that says nothing of the request. */
const otherValues =
  /^-(?:[oumweACEKT]|-(?:output|user|max-time|write-out|cookie|user-agent|cacert|cert|connect-timeout|retry|proxy))$/;

function commandRequest(words: readonly string[], line: number): CurlRequest | undefined {
  let method: string | undefined;
  let target: string | undefined;
  const headers: (readonly [string, string])[] = [];
  const data: string[] = [];
  let isFromFile = false;
  let inQuery = false;
  for (let at = words.indexOf('curl') + 1; at < words.length; at++) {
    const word = words[at] ?? '';
    const value = () => words[++at] ?? '';
    if (word === '-X' || word === '--request') method = value();
    else if (/^-X./.test(word)) method = word.slice(2);
    else if (word === '-H' || word === '--header') {
      const [, name = '', content = ''] = /^([^:]+): ?([\s\S]*)$/.exec(value()) ?? [];
      if (name !== '') headers.push([name, content]);
    } else if (/^(?:-d|--data(?:-raw|-binary|-ascii)?|--json)$/.test(word)) {
      const content = value();
      isFromFile ||= content.startsWith('@') && word !== '--data-raw';
      data.push(content);
      if (word === '--json') headers.push(['Content-Type', 'application/json']);
    } else if (word === '--data-urlencode') {
      const [, name = '', content = ''] = /^([^=]*)=([\s\S]*)$/.exec(value()) ?? [];
      data.push(`${name}=${percentEncode(content)}`);
    } else if (word === '-G' || word === '--get') inQuery = true;
    else if (word === '--url') target = value();
    else if (otherValues.test(word)) at++;
    else if (!word.startsWith('-')) target ??= word;
  }
  if (target === undefined) return undefined;
  const body = isFromFile ? undefined : data.join('&');
  const hasType = headers.some(([name]) => /^content-type$/i.test(name));
  if (data.length > 0 && !inQuery && !hasType)
    headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  const query =
    inQuery && body !== undefined && body !== '' ? `${target.includes('?') ? '&' : '?'}${body}` : '';
  return {
    line,
    method: method ?? (data.length > 0 && !inQuery ? 'POST' : 'GET'),
    target: target + query,
    headers,
    body: inQuery ? '' : body,
  };
}
