import { parametersOf } from '../../contract/signature/request-reader.ts';
import { charsetOf, decodeText } from '../../contract/text/charset.ts';
import { parseExactly } from '../../contract/text/json.ts';
import { type Capture, headerNamed } from './capture.ts';

/** What the bytes of a body are. */
export type BodyKind = 'json' | 'form' | 'xml' | 'multipart' | 'url-only' | 'empty' | 'broken-json' | 'text';

/** Says what bodies of a kind are that the contract does not read, and what to do. */
export const bodyKindSentences: Readonly<Record<BodyKind, string>> = {
  json: 'JSON, and the others are forms. A contract reads one format: capture the requests of one kind of webhook.',
  form: 'a form, and the others are JSON. A contract reads one format: capture the requests of one kind of webhook.',
  xml: 'XML, which a contract cannot read. Let the service send JSON or a form, or convert the requests before they reach the pipeline.',
  multipart:
    'multipart/form-data, which a contract cannot read. Let the service send JSON or application/x-www-form-urlencoded, or convert the requests before they reach the pipeline.',
  'url-only': 'without values, and the URL has them: they are read as requestQuery.<name>.',
  empty: 'empty, and the URL has no values either.',
  'broken-json':
    'like JSON, and cannot be parsed: a quote, a bracket or an escape is wrong, or its end is missing.',
  text: 'neither JSON nor a form.',
};

/** Recognises what a body is by its bytes, and by the header Content-Type where bytes do not decide. @param query that of the URL, without a token */
export function bodyKindOf(
  { headers }: Pick<Capture, 'headers'>,
  { bytes, method, query }: { readonly bytes: Uint8Array; readonly method: string; readonly query: string },
): BodyKind {
  const type = headerNamed(headers, 'content-type') ?? '';
  const isGet = method === 'GET';
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/^(?:\u00ef\u00bb\u00bf|[\u00fe\u00ff]{2})/, '');
  if (!isGet && /=[^&]/.test(query) && isValueless(text.trim(), type)) return 'url-only';
  if (text.trim() === '') return 'empty';
  if (isGet) return 'form';
  if (/^multipart\//i.test(type) || /^\s*--\S+\r?\nContent-Disposition:/i.test(text)) return 'multipart';
  if (/^\s*<(?:[?!]|[A-Za-z])/.test(text)) return 'xml';
  // A JSON text has ASCII outside its strings in every charset except UTF-16.
  const parsed = parseExactly(text.replaceAll('\0', ''));
  if (typeof parsed === 'object' && parsed !== null) return 'json';
  if (/^[^\s=&{}[\]<>"]+(?:=|&|$)/.test(text) && (text.includes('=') || /form-urlencoded/i.test(type)))
    return 'form';
  if (/^\s*[{[]/.test(text.replaceAll('\0', ''))) return 'broken-json';
  return /form-urlencoded/i.test(type) ? 'form' : 'text';
}

/** Decides the one format in which a contract reads bodies of these kinds. */
export function bodyFormatOf(kinds: readonly BodyKind[]): 'json' | 'form' {
  const count = (kind: BodyKind) => kinds.filter((one) => one === kind).length;
  return count('json') > 0 && count('json') >= count('form') ? 'json' : 'form';
}

/** Reports whether a body has no values: it is blank, an empty object, or a form whose fields are all empty. */
function isValueless(text: string, type: string): boolean {
  if (text === '' || /^\{\s*\}$/.test(text)) return true;
  const isForm = /form-urlencoded/i.test(type) && /^\w/.test(text);
  return isForm && parametersOf(text).every(({ value }) => value.trim() === '');
}

/** The charset that bodies seem to have. */
export interface CharsetGuess {
  /** By the labels of the WHATWG Encoding Standard. */
  readonly charset: string;
  /** How it was recognised. */
  readonly note: string;
  /** Other charsets in which the bytes are text. */
  readonly rivals: readonly string[];
}

/** Charsets of SMS services, each with the letters that its texts consist of. */
const commonCharsets = [
  ['windows-1252', /\p{Script=Latin}/u],
  ['windows-1251', /\p{Script=Cyrillic}/u],
  ['windows-1256', /\p{Script=Arabic}/u],
  ['iso-8859-2', /\p{Script=Latin}/u],
  ['gb18030', /\p{Script=Han}/u],
  ['shift_jis', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['euc-kr', /\p{Script=Hangul}/u],
] as const;

/**
 * Guesses the charset of bodies that are not UTF-8.
 *
 * @param captures the requests, with the bytes of their bodies
 * @returns undefined if every body is UTF-8
 */
export function guessCharset(
  captures: readonly (readonly [Pick<Capture, 'headers'>, Uint8Array])[],
): CharsetGuess | undefined {
  const others = captures
    .map(([capture, body]) => ({ capture, bytes: withoutPercent(body) }))
    .filter(({ bytes }) => !isText(bytes, 'utf-8'));
  if (others.length === 0) return undefined;
  const bodies = others.map(({ bytes }) => bytes);
  const reads = (label: string) => bodies.every((bytes) => isText(bytes, label));
  const named = [
    ...others.map(
      ({ capture }) => /charset="?([\w-]+)/i.exec(headerNamed(capture.headers, 'content-type') ?? '')?.[1],
    ),
    ...bodies.map(
      (bytes) =>
        /(?:^|&)(?:charset|encoding|coding)=([\w-]+)/i.exec(Buffer.from(bytes).toString('latin1'))?.[1],
    ),
  ].flatMap((label) => (label === undefined ? [] : (charsetOf(label) ?? [])));
  const found = named.find((label) => label !== 'utf-8' && reads(label));
  const wide = (['utf-16be', 'utf-16le'] as const).find(
    (label) => bodies.some((bytes) => bytes.includes(0)) && reads(label),
  );
  const candidates = commonCharsets
    .filter(([label]) => reads(label))
    .map(([charset, letters]) => ({ charset, score: scoreOf(bodies, charset, letters) }))
    .sort((a, b) => b.score - a.score)
    .map(({ charset }) => charset);
  const [best = 'windows-1252', ...rivals] = candidates;
  const notUtf8 = `${others.length} of ${captures.length} bodies ${others.length === 1 ? 'is' : 'are'} not UTF-8`;
  if (found !== undefined)
    return { charset: found, note: `${notUtf8}, and the requests name this charset`, rivals: [] };
  if (wide !== undefined)
    return { charset: wide, note: `${notUtf8}, and every second byte is zero`, rivals: [] };
  return {
    charset: best,
    note: `${notUtf8}: check the letters of an example with --reveal`,
    rivals: rivals.slice(0, 3),
  };
}

/** Returns the bytes of a form as they are before they are percent-encoded, so that their charset can be seen. */
function withoutPercent(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body).toString('latin1');
  if (!/^[^\s=&{}[\]<>"]+=/.test(text)) return body;
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function isText(bytes: Uint8Array, charset: string): boolean {
  try {
    return !/[\u0080-\u009f\ue000-\uf8ff\ufffd]/.test(decodeText(bytes, charset));
  } catch {
    return false;
  }
}

/**
 * Rates a charset: words of one script alone are likely, and letters of several scripts in a word are not. Latin words have few letters that
 * are not ASCII.
 */
function scoreOf(bodies: readonly Uint8Array[], charset: string, letters: RegExp): number {
  const words = bodies.flatMap((bytes) => decodeText(bytes, charset).match(/[\p{L}\p{M}]+/gu) ?? []);
  const foreign = words.filter((word) => /[^\0-\x7f]/.test(word));
  const likely = foreign.filter((word) => {
    const others = [...word].filter((letter) => letter > '\x7f');
    const isLatin = letters.source.includes('Latin');
    const isRare = others.length * 2 <= word.length || word.length === 1;
    return (
      others.every((letter) => letters.test(letter)) && (isLatin ? isRare : others.length === word.length)
    );
  });
  return foreign.length === 0 ? 0 : likely.length / foreign.length;
}
