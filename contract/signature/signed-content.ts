import { createHash } from 'node:crypto';
import {
  bodyIndex,
  type Flag,
  isOfBody,
  type ParameterList,
  type Placeholder,
  parseTemplate,
} from '../schema/signed-template.ts';
import { splitOnce } from '../text/split-once.ts';
import type { Parameter, RequestReader } from './request-reader.ts';

/** The values that a signature may cover in addition to the body; undefined if the request lacks one. */
interface SignedValues {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  /** The URL, in one of its spellings. */
  readonly url: string;
  readonly secret: string;
}

/** Why a request has no signed content: it lacks a part of it, or a value holds the text beside it, so that another request could have the same content. */
type NoContent = 'missing' | 'ambiguous';

/** Joins the signed content of one request with the values of one attempt. */
type SignedContent = (values: SignedValues) => Uint8Array | NoContent;

/**
 * Compiles the contract's `signedContent` template. The body stays bytes. A list of parameters is joined once for each request and URL,
 * however many secrets are tried.
 */
export function compileSignedContent(template: string): (request: RequestReader) => SignedContent {
  const { texts, placeholders } = parseTemplate(template);
  const bodyAt = bodyIndex(placeholders);
  const fixed = texts.map((text) => Buffer.from(text));
  return (request) => {
    const joined = new Map<string, JoinedList>();
    const join = (list: ParameterList, index: number, url: string) => {
      const key = list.source === 'form' || list.source === 'fields' ? `${index}` : `${index} ${url}`;
      const known = joined.get(key);
      const parameters = known === undefined ? request.parameters(list.source, url) : undefined;
      if (parameters === undefined) return known;
      const text = joinParameters(parameters, list);
      joined.set(key, text);
      return text;
    };
    return (values) => contentOf(request, values, join);
  };

  function contentOf(
    request: RequestReader,
    values: SignedValues,
    join: (list: ParameterList, index: number, url: string) => JoinedList | undefined,
  ): Uint8Array | NoContent {
    const chunks: Uint8Array[] = [];
    for (const [index, placeholder] of placeholders.entries()) {
      const boundary = bodyAt >= 0 && index > bodyAt ? texts[index] : texts[index + 1];
      if (placeholder === undefined) return 'missing';
      const list = placeholder.kind === 'list' ? join(placeholder.list, index, values.url) : undefined;
      if (list?.blursNames) return 'ambiguous';
      const written = placeholder.kind === 'list' ? list?.text : write(placeholder, request, values);
      if (written === undefined) return 'missing';
      if (index !== bodyAt && blursBoundary(placeholder, written, boundary)) return 'ambiguous';
      chunks.push(fixed[index] ?? Buffer.of(), typeof written === 'string' ? Buffer.from(written) : written);
    }
    return Buffer.concat([...chunks, fixed.at(-1) ?? Buffer.of()]);
  }
}

function write(
  placeholder: Exclude<Placeholder, { kind: 'list' }>,
  request: RequestReader,
  values: SignedValues,
): string | Uint8Array | undefined {
  switch (placeholder.kind) {
    case 'body':
      return writeBody(placeholder, request.body());
    case 'url':
      return partOfUrl(values.url, placeholder.part);
    case 'method':
      return request.method;
    case 'timestamp':
      return values.timestamp;
    case 'id':
      return values.id;
    case 'secret':
      return values.secret;
    case 'header':
      return request.header(placeholder.name);
    case 'field':
      return request.field(placeholder.name);
    case 'parameter':
      return request.parameter(placeholder.name);
  }
}

function writeBody(
  { hash, encoding }: Extract<Placeholder, { kind: 'body' }>,
  body: Uint8Array,
): Uint8Array | string {
  if (hash === undefined) return body;
  const digest = createHash(hash).update(body).digest();
  return encoding === undefined ? digest : encodeBytes(digest, encoding);
}

/** Writes bytes in an encoding of the contract. */
export function encodeBytes(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'hex-upper') return Buffer.from(bytes).toString('hex').toUpperCase();
  return Buffer.from(bytes).toString(encoding as BufferEncoding);
}

/** Returns a text in the case in which {@link encodeBytes} writes: services write hexadecimal digits in either. */
export function inCaseOf(encoding: string, text: string): string {
  if (encoding === 'hex') return text.toLowerCase();
  return encoding === 'hex-upper' ? text.toUpperCase() : text;
}

interface JoinedList {
  readonly text: string;
  /** Whether a decoded name holds a separator, so that several parameters could be passed as one. No service has such names. */
  readonly blursNames: boolean;
}

/** Joins parameters, sorted by name and then by value unless the list keeps their order. */
function joinParameters(
  parameters: readonly Parameter[],
  { between, after, flags }: ParameterList,
): JoinedList {
  const has = (flag: Flag) => flags.includes(flag);
  const sorted = has('unsorted') ? parameters : [...parameters].sort(byNameAndValue);
  const pairs = sorted.map(({ name, value, raw }) => {
    const [rawName = '', rawValue = ''] = has('encoded') ? splitOnce(raw, '=') : [name, value];
    return [rawName, has('underscored') ? rawValue.replace(/[&=]/g, '_') : rawValue] as const;
  });
  const kept = has('unique')
    ? [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()]
    : pairs;
  const separators = [between, after].filter((text) => text !== undefined && text !== '');
  return {
    text: kept.map(([name, value]) => (between === undefined ? value : name + between + value)).join(after),
    blursNames:
      between !== undefined &&
      !has('encoded') &&
      parameters.some(({ name }) => separators.some((separator) => name.includes(separator ?? ''))),
  };
}

function byNameAndValue(a: Parameter, b: Parameter): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.value === b.value ? 0 : a.value < b.value ? -1 : 1;
}

function partOfUrl(url: string, part: Extract<Placeholder, { kind: 'url' }>['part']): string {
  const [, origin = '', host = '', path = '', query = ''] =
    /^(\w+:\/\/([^/?]*))([^?]*)(?:\?(.*))?/s.exec(url) ?? [];
  switch (part) {
    case 'url':
      return url;
    case 'url:base':
      return origin + path;
    case 'host':
      return host;
    case 'path':
      return path;
    case 'path:query':
      return url.includes('?') ? `${path}?${query}` : path;
    case 'query':
      return query;
  }
}

/**
 * Reports whether a value that the sender chose holds the text that separates it from its neighbour. The sender could then move
 * bytes from one to the other, and the signature would still match.
 */
function blursBoundary(
  placeholder: Placeholder,
  written: string | Uint8Array,
  boundary: string | undefined,
): boolean {
  if (boundary === undefined || boundary === '' || typeof written !== 'string') return false;
  // Times were checked to be times, and end by themselves.
  if (['body', 'timestamp', 'secret', 'method'].includes(placeholder.kind)) return false;
  if (placeholder.kind === 'list' && isOfBody(placeholder)) return false;
  // The sender of a request chooses only the query of its URL.
  const isUrl = placeholder.kind === 'url' && placeholder.part !== 'query';
  return (isUrl ? written.replace(/^[^?]*/, '') : written).includes(boundary);
}
