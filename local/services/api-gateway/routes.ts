/** A route of an HTTP API by its key: `ANY /webhooks/sms`, `GET /messages/{id}`, `ANY /{proxy+}`, `$default`. */
export interface Route<T> {
  readonly key: string;
  readonly target: T;
}

export interface RouteMatch<T> {
  readonly route: Route<T>;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * The path of a request's target as an HTTP API uses it. It is percent-decoded, and cut off at a decoded `?`, before the route is selected, so
 * `%2F` separates segments like any other slash. AWS does not document this, but reports with printed events show it (github.com: fastify/aws-lambda-fastify#169, honojs/hono#2156, middleapi/standard-server#93).
 */
export function decodedPath(target: string): string {
  const [encoded = '/'] = target.split('?');
  const [path = '/'] = decode(encoded).split('?');
  return path;
}

/**
 * Selects the route as API Gateway does: a path that matches segment by segment before a greedy `{proxy+}`,
 * literal segments before variables, the request's method before ANY, `$default` last.
 *
 * @param path decoded
 */
export function selectRoute<T>(
  routes: readonly Route<T>[],
  method: string,
  path: string,
): RouteMatch<T> | undefined {
  let best: (RouteMatch<T> & { rank: number }) | undefined;
  for (const route of routes) {
    const match = matchRoute(route, method, path);
    if (match && (!best || match.rank > best.rank)) best = match;
  }
  return best && { route: best.route, pathParameters: best.pathParameters };
}

function matchRoute<T>(
  route: Route<T>,
  method: string,
  path: string,
): (RouteMatch<T> & { rank: number }) | undefined {
  if (route.key === '$default') return { route, pathParameters: {}, rank: 0 };
  const [routeMethod = '', routePath = ''] = route.key.split(' ');
  if (routeMethod !== 'ANY' && routeMethod !== method) return undefined;
  const routeSegments = routePath.split('/');
  const segments = path.split('/');
  const pathParameters: Record<string, string> = {};
  let literals = 0;
  for (const [index, segment] of routeSegments.entries()) {
    const greedy = /^\{(.+)\+\}$/.exec(segment)?.[1];
    const variable = /^\{(.+)\}$/.exec(segment)?.[1];
    const value = segments[index];
    if (value === undefined) return undefined;
    if (greedy !== undefined) {
      pathParameters[greedy] = segments.slice(index).join('/');
      return { route, pathParameters, rank: 1 + literals };
    }
    if (variable !== undefined && value !== '') pathParameters[variable] = value;
    else if (segment === value) literals += 2;
    else return undefined;
  }
  if (routeSegments.length !== segments.length) return undefined;
  return { route, pathParameters, rank: 10_000 + literals + (routeMethod === 'ANY' ? 0 : 1) };
}

/** Percent-decodes a text. Returns an invalid text unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
