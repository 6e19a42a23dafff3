import type { RequestFormat } from '../schema/request-form.ts';
import type { ParameterList, WebhookMethod } from '../schema/signed-template.ts';
import { isObject } from '../text/json.ts';
import { percentEncode } from '../text/percent-encode.ts';
import { formPairs, readJsonBody } from '../text/request-body.ts';
import { splitOnce } from '../text/split-once.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** The place of a value: a header, a parameter of the URL, or a field of the body; or the entry with a prefix in a list there. */
export interface Part {
  readonly header?: string;
  /** The name of a parameter in the URL's query. */
  readonly query?: string;
  /** The name of a form parameter, or the path to a value in a JSON body: names with dots between. */
  readonly body?: string;
  readonly prefix: string;
  readonly separator: string | null;
}

/** A parameter: decoded, and as received. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
  readonly raw: string;
}

/** Reads the values of a request that a signature may cover. */
export interface RequestReader {
  readonly method: WebhookMethod;
  /** The URL without the signature. */
  readonly url: string;
  /** The bytes of the body, without the signature if that is a form parameter; none of a GET. */
  body(): Uint8Array;
  /** A header in any letter case. An empty header counts as absent. */
  header(name: string): string | undefined;
  parameter(name: string): string | undefined;
  field(path: string): string | undefined;
  /** Returns whether the form, the fields or the query have more parameters than {@link maxParameters}. */
  hasTooMany(source: ParameterList['source']): boolean;
  /**
   * Lists parameters without the signature.
   *
   * @param url the spelling of the URL whose query is read
   * @returns undefined if the body has none, because it is no object in JSON
   */
  parameters(source: ParameterList['source'], url: string): readonly Parameter[] | undefined;
}

/**
 * The most parameters that are read of a form, of the fields of a body, or of a query, as in Node.js, Express and Django. A service sends up
 * to 50. Everyone can make a verifier decode and sort them, before it knows the sender.
 */
export const maxParameters = 1000;

/**
 * Makes the reader of a request. It reads the body in the format in which the mapping reads it, whatever else the body could be.
 *
 * @param signature the place of the signature, which a signature cannot cover
 */
export function requestReader(
  { headers, body, url }: WebhookRequest,
  { method, bodyFormat, charset }: RequestFormat,
  signature: Pick<Part, 'query' | 'body'> = {},
): RequestReader {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  let text: string | undefined;
  const bodyText = () => {
    text ??= Buffer.from(body).toString();
    return text;
  };
  const isForm = bodyFormat === 'form';
  let parsed: { readonly json: unknown } | undefined;
  const json = () => {
    parsed ??= { json: body.length === 0 ? {} : jsonOf(readJsonBody(body, charset)) };
    return parsed.json;
  };
  // The query of a GET is its body as well.
  const inBody = method === 'GET' ? (signature.body ?? signature.query) : signature.body;
  const inQuery = method === 'GET' ? inBody : signature.query;
  let ofBody: readonly Parameter[] | undefined;
  const bodyParameters = () => {
    ofBody ??= parametersOf(bodyText());
    return ofBody;
  };
  const form = () => bodyParameters().filter(({ name }) => name !== inBody);
  const fields = () => {
    const tree = json();
    if (!isObject(tree)) return undefined;
    return Object.entries(tree)
      .filter(([name]) => name !== inBody)
      .map(([name, value]) => ({ name, value: fieldText(value), raw: `${name}=${fieldText(value)}` }));
  };
  let ofQuery: readonly Parameter[] | undefined;
  const queryParameters = () => {
    ofQuery ??= parametersOf(queryOf(url));
    return ofQuery;
  };
  let signedUrl: string | undefined;
  return {
    method,
    get url() {
      signedUrl ??= inQuery === undefined ? url : withoutParameter(url, inQuery, queryParameters());
      return signedUrl;
    },
    body() {
      if (method === 'GET') return Buffer.of();
      if (signature.body === undefined || !isForm) return body;
      return Buffer.from(
        form()
          .map(({ raw }) => raw)
          .join('&'),
      );
    },
    header: (name) => byName.get(name.toLowerCase()) || undefined,
    parameter: (name) => queryParameters().find((each) => each.name === name)?.value || undefined,
    field(path) {
      const value = isForm
        ? bodyParameters().find(({ name }) => name === path)?.value
        : valueAt(json(), path);
      return value === '' ? undefined : textOf(value);
    },
    hasTooMany(source) {
      if ((source === 'query' || source === 'params') && countOf(queryOf(url)) > maxParameters) return true;
      if (source === 'query') return false;
      if (isForm) return countOf(bodyText()) > maxParameters;
      const tree = json();
      // A list of events has no parameters.
      return isObject(tree) && Object.keys(tree).length > maxParameters;
    },
    parameters(source, spelling) {
      if (source === 'query') return parametersOf(queryOf(spelling));
      const ofBody = isForm ? form() : fields();
      // The query of a GET is its body already.
      return source !== 'params' || method === 'GET' || ofBody === undefined
        ? ofBody
        : [...parametersOf(queryOf(spelling)), ...ofBody];
    },
  };
}

/** Reads the value of a part without its prefix: the first entry that has the prefix, or undefined. */
export function readPart(part: Part | null | undefined, request: RequestReader): string | undefined {
  if (part === null || part === undefined) return undefined;
  const value = readPlace(part, request);
  const entries = part.separator === null ? [value] : value?.split(part.separator);
  const entry = entries?.find((text) => text?.startsWith(part.prefix));
  return entry?.slice(part.prefix.length) || undefined;
}

/** Reads the whole text at a place. */
export function readPlace({ header, query, body }: Part, request: RequestReader): string | undefined {
  if (header !== undefined) return request.header(header);
  if (query !== undefined) return request.parameter(query);
  return body === undefined ? undefined : request.field(body);
}

/** Lists the headers that parts name, in lower case. */
export function headersOf(parts: readonly (Pick<Part, 'header'> | null | undefined)[]): string[] {
  return parts.flatMap((part) => part?.header?.toLowerCase() ?? []);
}

/** Lists the parameters of a query or a form in their order. */
export function parametersOf(text: string): readonly Parameter[] {
  return formPairs(text).map(({ raw, name, value }) => ({ raw, name: decode(name), value: decode(value) }));
}

/** Counts the parameters of a query or a form without reading them. */
function countOf(text: string): number {
  return text.split('&').length;
}

/** Decodes as URLSearchParams does: bytes that are no UTF-8 become replacement characters. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return new URLSearchParams(`=${text}`).get('') ?? text;
}

/** Returns everything behind the first "?". A "#" does not end it, because API Gateway passes it on, and the mapping reads what follows. */
export function queryOf(url: string): string {
  return splitOnce(url, '?')[1];
}

function withoutParameter(url: string, name: string, parameters: readonly Parameter[]): string {
  const kept = parameters.filter((parameter) => parameter.name !== name);
  const rest = kept.map(({ raw }) => raw).join('&');
  return url.replace(`?${queryOf(url)}`, () => (rest === '' ? '' : `?${rest}`));
}

function jsonOf(body: ReturnType<typeof readJsonBody>): unknown {
  return body.kind === 'parsed' ? body.value : undefined;
}

function valueAt(tree: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? Reflect.get(value, key)
          : undefined,
      tree,
    );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function fieldText(value: unknown): string {
  if (value === null) return '';
  return textOf(value) ?? JSON.stringify(value);
}

/** These characters never end a name or a value in a query, so their escapes mean the same. */
const harmless = /%(?:21|24|27|28|29|2A|2C|2D|2E|2F|3A|3B|3F|40|5F|7E)/gi;

/**
 * Lists the spellings of a URL that a service may have signed, in a fixed order: as received, with or without the usual port, with
 * fewer or other escapes, with or without a slash at the end of the path, with the other scheme. All mean the same request.
 */
export function urlSpellings(url: string): readonly string[] {
  const [, scheme = '', host = '', port = '', path = '', query] =
    /^(https?):\/\/([^/?#:]+)(:\d+)?(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url) ?? [];
  if (host === '') return [url];
  const write = (changed: { scheme?: string; port?: string; path?: string; query?: string }) => {
    const search = changed.query ?? query;
    const authority = host + (changed.port ?? port);
    return `${changed.scheme ?? scheme}://${authority}${changed.path ?? path}${search === undefined ? '' : `?${search}`}`;
  };
  const escaped = (encode: (text: string) => string) =>
    query === undefined
      ? {}
      : {
          query: parametersOf(query)
            .map(({ name, value, raw }) => encode(name) + (raw.includes('=') ? `=${encode(value)}` : ''))
            .join('&'),
        };
  return [
    ...new Set([
      url,
      write({ port: port === '' ? (scheme === 'https' ? ':443' : ':80') : '' }),
      write({ path: decodeHarmless(path), ...(query === undefined ? {} : { query: decodeHarmless(query) }) }),
      write(escaped(percentEncode)),
      write(escaped((text) => new URLSearchParams([['', text]]).toString().slice(1))),
      write({ path: path.endsWith('/') ? path.slice(0, -1) : `${path}/` }),
      write({ scheme: scheme === 'https' ? 'http' : 'https' }),
    ]),
  ];
}

function decodeHarmless(text: string): string {
  return text.replace(harmless, (escaped) => decodeURIComponent(escaped));
}
