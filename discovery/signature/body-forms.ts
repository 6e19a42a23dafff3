import { type RequestReader, requestReader } from '../../contract/signature/request-reader.ts';
import { compileSignedContent } from '../../contract/signature/signed-content.ts';
import type { ReadableCapture, ValuePlace } from './readable-capture.ts';

/** One way for a signature to cover the body. */
export interface BodyForm {
  /** The placeholder in the template. */
  readonly template: string;
  /** Other placeholders that give the same content in this capture. */
  readonly others: readonly string[];
  /** The content, one character a byte. */
  readonly content: string;
}

/** The ways for a signature to cover the body of one capture. */
export interface BodyForms {
  /** The raw body, or its form parameters. */
  readonly plain: readonly BodyForm[];
  /** The hashes that most services use. */
  readonly hashed: readonly BodyForm[];
  readonly unusual: readonly BodyForm[];
  /** The hashes of canonical requests. */
  readonly digests: readonly BodyForm[];
  /** Parameters of the query or the body, joined in the usual ways, alone or behind the URL. */
  readonly lists: readonly BodyForm[];
  readonly rareLists: readonly BodyForm[];
}

const hashed = ['{body:sha256:hex}', '{body:sha256:base64}', '{body:sha256}'];
const digests = ['sha256', 'md5', 'sha1'].flatMap((hash) =>
  ['hex', 'base64'].map((encoding) => `{body:${hash}:${encoding}}`),
);
const otherHashes = ['md5', 'sha512', 'sha1', 'sha384'].flatMap((hash) =>
  ['hex', 'base64', ''].map((encoding) => `{body:${hash}${encoding && `:${encoding}`}}`),
);

const usualPatterns = ['name=value&', 'namevalue', 'value'];
const flags = ['', 'encoded:', 'unique:', 'unsorted:', 'unsorted:encoded:', 'underscored:'];
const joints = ['', ',', '|', ':', ';', '\n', '.', '-', '_', ' ', '&', '\r\n', '&&'];
const rarePatterns = [
  ...joints.slice(1).map((after) => `value${after}`),
  ...['=', ':', '\n', ',', '|'].flatMap((between) => joints.map((after) => `name${between}value${after}`)),
].filter((pattern) => pattern !== 'name=value&');

/** @param signature the place of the signature, which it cannot cover */
export function bodyForms(readable: ReadableCapture, signature: ValuePlace | undefined): BodyForms {
  const { capture, method } = readable;
  const isInHeader = signature === undefined || 'header' in signature;
  const request = requestReader(capture, readable, isInHeader ? {} : signature);
  const sources = sourcesOf(request, readable);
  const isForm = sources.includes('form');
  const write = (templates: readonly string[]) => formsOf(request, templates);
  const lists = (patterns: readonly string[], kinds: readonly string[]) =>
    sources.flatMap((source) =>
      patterns.flatMap((pattern) => kinds.map((flag) => `{${source}:${flag}${pattern}}`)),
    );
  const usual = lists(usualPatterns, flags);
  const behindUrl = isForm ? ['{url}?{form}', '{url}?{form:query}'] : [];
  const isQuery = sources.some((source) => source === 'query' || source === 'params') || method === 'GET';
  const starts = ['{url}', '{url:base}', ...(isQuery ? [] : ['{url}?']), '{url:base}?', '{path}', '{path}?'];
  return {
    // The raw body comes before the form parameters, which may be the same text.
    plain: write(['{body}', ...(isForm ? ['{form}', '{form:query}'] : [])]).filter(
      ({ content }) => content !== '',
    ),
    hashed: write(hashed),
    unusual: write([...behindUrl, ...otherHashes]),
    digests: write(digests),
    // The names that were always there come first.
    lists: write([
      ...(isForm ? ['{form}', '{form:query}', ...behindUrl] : []),
      ...usual,
      ...(isQuery ? ['{query}', '{query:sorted}', '{query:name=value&}'].flatMap(withHash) : []),
      ...lists(['name=value&'], flags).map((list) => `&${list}`),
      ...starts.flatMap((start) =>
        lists(usualPatterns.slice(0, 2), flags.slice(0, 3)).map((list) => start + list),
      ),
      ...(isQuery && isForm ? behindBoth : []),
    ]),
    rareLists: write([
      ...lists(rarePatterns, ['', 'unsorted:']),
      ...lists(['name=value\n', 'name\nvalue\n', 'name:value\n', 'value|'], ['']).map(
        (list) => `${list}${list.at(-2)}`,
      ),
    ]),
  };
}

/** A query, alone and before a hash of the body on a line of its own. */
const withHash = (query: string) => [query, `${query}\n{body:sha256}`, `${query}\n{body:sha256:hex}`];

/** A query and a form, each joined in its way. */
const behindBoth = ['{url:base}?{query:name=value&}.{form}', '{url:base}?{query:name=value&}{form}'];

function sourcesOf(
  request: RequestReader,
  { capture: { body }, method, bodyFormat }: ReadableCapture,
): readonly ('form' | 'fields' | 'query' | 'params')[] {
  const text = Buffer.from(body.subarray(0, 256)).toString('latin1');
  const hasQuery = method === 'POST' && (request.parameters('query', request.url) ?? []).length > 0;
  const own = bodyFormat === 'json' ? ['fields' as const] : isForm(text) ? ['form' as const] : [];
  return [...own, ...(hasQuery ? (['query', 'params'] as const) : [])];
}

/** Reports whether a body can be read as form parameters, whatever its content type is. */
function isForm(text: string): boolean {
  return /^[^\s={}[\]<>"]+=/.test(text);
}

/** Writes the templates. Of several with the same content, the first is kept, with the others beside it. */
function formsOf(request: RequestReader, templates: readonly string[]): readonly BodyForm[] {
  const values = { id: undefined, timestamp: undefined, url: request.url, secret: '' };
  const written = templates.flatMap((template) => {
    const bytes = compileSignedContent(template)(request)(values);
    return typeof bytes === 'string' ? [] : [{ template, content: Buffer.from(bytes).toString('latin1') }];
  });
  return [...Map.groupBy(written, ({ content }) => content)].map(([content, [first, ...others]]) => ({
    content,
    template: first?.template ?? '',
    others: others.map(({ template }) => template),
  }));
}
