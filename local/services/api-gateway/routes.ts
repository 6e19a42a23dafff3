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
 * The path of a request's target as an HTTP API sees it: percent-decoded, and cut off at a `?` that comes of it, before
 * the route is selected, so that `%2F` parts segments like any other slash. AWS does not document it; people who printed
 * events do (github.com: fastify/aws-lambda-fastify#169, honojs/hono#2156, middleapi/standard-server#93).
 */
export function decodedPath(target: string): string {
  const [encoded = '/'] = target.split('?');
  const [path = '/'] = decode(encoded).split('?');
  return path;
}

/**
 * The route that API Gateway selects: a path that matches segment by segment before a greedy `{proxy+}`,
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
  const wanted = routePath.split('/');
  const given = path.split('/');
  const pathParameters: Record<string, string> = {};
  let literals = 0;
  for (const [index, segment] of wanted.entries()) {
    const greedy = /^\{(.+)\+\}$/.exec(segment)?.[1];
    const variable = /^\{(.+)\}$/.exec(segment)?.[1];
    const value = given[index];
    if (value === undefined) return undefined;
    if (greedy !== undefined) {
      pathParameters[greedy] = given.slice(index).join('/');
      return { route, pathParameters, rank: 1 + literals };
    }
    if (variable !== undefined && value !== '') pathParameters[variable] = value;
    else if (segment === value) literals += 2;
    else return undefined;
  }
  if (wanted.length !== given.length) return undefined;
  return { route, pathParameters, rank: 10_000 + literals + (routeMethod === 'ANY' ? 0 : 1) };
}

/** Percent-decoding; what is not valid stays as it came. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
