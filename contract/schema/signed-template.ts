/** The methods by which a service calls a webhook. The query of a GET takes the place of the body. */
export type WebhookMethod = 'POST' | 'GET';

/** The parameters that a placeholder joins, and how. */
export interface ParameterList {
  readonly source: 'form' | 'fields' | 'query' | 'params';
  /** The text between a name and its value; undefined if names are left out. */
  readonly between: string | undefined;
  /** The text between two parameters. */
  readonly after: string;
  readonly flags: readonly Flag[];
}

/**
 * What a list does to its parameters: `unsorted` keeps their order, `encoded` writes them percent-encoded as received, `unique` counts a
 * repeated pair once, `underscored` replaces & and = in values by _.
 */
export type Flag = 'unsorted' | 'encoded' | 'unique' | 'underscored';

type Hash = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** One placeholder of a template. */
export type Placeholder =
  | { readonly kind: 'body'; readonly hash?: Hash; readonly encoding?: string }
  | { readonly kind: 'list'; readonly list: ParameterList }
  | { readonly kind: 'url'; readonly part: 'url' | 'url:base' | 'host' | 'path' | 'path:query' | 'query' }
  | { readonly kind: 'method' | 'timestamp' | 'id' | 'secret' }
  | { readonly kind: 'header' | 'field' | 'parameter'; readonly name: string };

const bodyHash = /^body(?::(md5|sha1|sha256|sha384|sha512)(?::(hex|hex-upper|base64))?)?$/;
const listShape = /^(form|fields|query|params)((?::(?:unsorted|encoded|unique|underscored))*)(?::(.+))?$/s;
const listPattern = /^(?:name(.*?))?value(.*)$/s;
const urlParts = ['url', 'url:base', 'host', 'path', 'path:query', 'query'] as const;
const words = ['method', 'timestamp', 'id', 'secret'] as const;

/** Reads the text between the braces. @returns undefined for a text that is no placeholder */
function parsePlaceholder(text: string): Placeholder | undefined {
  const [isBody, hash, encoding] = bodyHash.exec(text) ?? [];
  if (isBody !== undefined)
    return {
      kind: 'body',
      ...(hash === undefined ? {} : { hash: hash as Hash }),
      ...(encoding === undefined ? {} : { encoding }),
    };
  const part = urlParts.find((each) => each === text);
  if (part !== undefined) return { kind: 'url', part };
  const word = words.find((each) => each === text);
  if (word !== undefined) return { kind: word };
  const [, named, name = ''] = /^(header|field|parameter):(.+)$/s.exec(text) ?? [];
  if (named === 'header' || named === 'field' || named === 'parameter') return { kind: named, name };
  return parseList(text);
}

function parseList(text: string): Placeholder | undefined {
  const [, source, flagText = '', written] = listShape.exec(text) ?? [];
  if (source === undefined) return undefined;
  // The query alone is the query as received.
  const usual = source === 'form' ? 'namevalue' : undefined;
  const pattern = written === 'query' || written === 'sorted' ? 'name=value&' : (written ?? usual);
  const [isPattern, between, after = ''] = listPattern.exec(pattern ?? '') ?? [];
  if (isPattern === undefined) return undefined;
  const flags = flagText.split(':').filter((flag) => flag !== '') as Flag[];
  return {
    kind: 'list',
    list: {
      source: source as ParameterList['source'],
      between,
      after,
      flags: written === 'sorted' ? [...flags, 'encoded'] : flags,
    },
  };
}

/** A template in pieces: its texts, and the placeholders between them. */
interface Template {
  /** One more than there are placeholders. */
  readonly texts: readonly string[];
  readonly placeholders: readonly (Placeholder | undefined)[];
  /** The placeholders as written. */
  readonly names: readonly string[];
}

export function parseTemplate(template: string): Template {
  // Parts with an odd index are placeholders, because split keeps the captured groups.
  const parts = template.split(/\{([^}]*)\}/);
  const names = parts.filter((_, index) => index % 2 === 1);
  return {
    texts: parts.filter((_, index) => index % 2 === 0),
    names,
    placeholders: names.map(parsePlaceholder),
  };
}

/** Reports whether a placeholder stands for the body, whole or by its hash or its parameters. */
export function isOfBody(placeholder: Placeholder | undefined): boolean {
  return (
    placeholder?.kind === 'body' || (placeholder?.kind === 'list' && placeholder.list.source !== 'query')
  );
}

/** Reports whether a placeholder stands for the whole query of the URL. */
export function isOfQuery(placeholder: Placeholder | undefined): boolean {
  if (placeholder?.kind === 'list')
    return placeholder.list.source === 'query' || placeholder.list.source === 'params';
  return placeholder?.kind === 'url' && ['url', 'path:query', 'query'].includes(placeholder.part);
}

/** Reports whether a value may hold the text that separates parameters. Such values are no reason to reject a request: a text may hold any character. */
export function blursValues({ between, after, flags }: ParameterList): boolean {
  if (between === undefined) return after === '';
  const isFreeOfSeparators = flags.includes('encoded') || flags.includes('underscored');
  return !isFreeOfSeparators || [between, after].some((separator) => !['=', '&'].includes(separator));
}

/** Reports whether a placeholder stands for the path of the URL. */
export function isOfPath(placeholder: Placeholder | undefined): boolean {
  return placeholder?.kind === 'url' && ['url', 'url:base', 'path', 'path:query'].includes(placeholder.part);
}

/** Finds what stands for the body: the query, if nothing else does. @returns -1 if nothing stands for either */
export function bodyIndex(placeholders: readonly (Placeholder | undefined)[]): number {
  const index = placeholders.findIndex(isOfBody);
  return index >= 0 ? index : placeholders.findIndex(isOfQuery);
}

/** Lists the placeholders before or behind the body, each with the text and the placeholder on the side of the body. */
function besideBody({ texts, placeholders, names }: Template) {
  const body = bodyIndex(placeholders);
  if (body < 0) return [];
  return names.flatMap((name, index) => {
    const text = texts[index < body ? index + 1 : index] ?? '';
    const next = placeholders[index < body ? index + 1 : index - 1];
    return index === body ? [] : [{ name, part: placeholders[index], text, next }];
  });
}

/** Reports whether bytes cannot move to a placeholder unseen: a hash has one length, and the pipeline warns of parameters whose ends are not signed. */
function isEnded(part: Placeholder | undefined): boolean {
  return (
    (part?.kind === 'body' && part.hash !== undefined) || (part?.kind === 'list' && blursValues(part.list))
  );
}

/** Lists ids, headers and queries without a text between them and their neighbour on the side of the body. A sender may put anything into them. */
export function touching(template: Template): string[] {
  const isOpen = (part: Placeholder | undefined, next: Placeholder | undefined) =>
    ['id', 'header', 'field', 'parameter'].includes(part?.kind ?? '') || (isOfQuery(part) && !isEnded(next));
  return besideBody(template).flatMap(({ name, part, text, next }) =>
    text === '' && isOpen(part, next) ? [name] : [],
  );
}

/** Reports whether a path may hold the text between it and its neighbour on the side of the body. */
export function hasOpenPath(template: string): boolean {
  return besideBody(parseTemplate(template)).some(
    ({ part, text, next }) => isOfPath(part) && !/[\s?#]/.test(text) && !isEnded(next),
  );
}
