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
 * The route that API Gateway selects: a path that matches segment by segment before a greedy `{proxy+}`,
 * literal segments before variables, the request's method before ANY, `$default` last.
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
      pathParameters[greedy] = decode(given.slice(index).join('/'));
      return { route, pathParameters, rank: 1 + literals };
    }
    if (variable !== undefined && value !== '') pathParameters[variable] = decode(value);
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
