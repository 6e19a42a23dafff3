import { type RouteName, routeNames, routes } from './routes.ts';

/** Thrown for a path whose percent-encoding cannot be read. */
export class PathEncodingError extends Error {
  override readonly name = 'PathEncodingError';

  constructor() {
    super(
      'the percent-encoding of the path cannot be read: a "%" in an id is percent-encoded twice, as %2525',
    );
  }
}

export interface RouteMatch {
  readonly name: RouteName;
  /** Decoded, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

const patterns = routeNames.map((name) => ({
  name,
  pattern: new RegExp(`^${routes[name].path.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`, 's'),
}));

/**
 * Finds the question that a path asks.
 *
 * API Gateway's HTTP APIs decode the path before a function sees it, `rawPath` too, so a "/" of an id looks like one between
 * segments: a parameter takes as many as it can. What is left of the encoding afterwards is read here.
 *
 * @param rawPath as the event tells it
 * @returns undefined where nothing is
 * @throws PathEncodingError
 */
export function matchRoute(rawPath: string): RouteMatch | undefined {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(rawPath);
    if (match === null) continue;
    const parameters = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decode(value)]);
    return { name, parameters: Object.fromEntries(parameters) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new PathEncodingError();
  }
}

/** What a gateway that decodes a path would take for something else: "%", "?", and segments that are empty or dots. */
const spoiledByDecoding = /[%?]|(^|\/)\.{0,2}(\/|$)/;

/** The path of a question: each parameter is percent-encoded, twice where once would not reach the function whole. */
export function pathOf(name: RouteName, parameters: Readonly<Record<string, string>> = {}): string {
  return routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = parameters[key] ?? '';
    if (!spoiledByDecoding.test(value)) return percentEncode(value);
    return percentEncode(percentEncode(value).replaceAll('.', '%2E'));
  });
}

/** Percent-encodes everything but letters, digits and `-._~` (RFC 3986, section 2.3), as AWS Signature Version 4 wants it. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
