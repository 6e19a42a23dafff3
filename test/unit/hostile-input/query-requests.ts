import fc from 'fast-check';
import { encodeCursor } from '../../../functions/history/lists/cursor.ts';
import { routeNames, routes } from '../../../functions/query/api/routes/routes.ts';
import { hostileBodies, hostileHeaders, hostileSegments, mostly } from './hostile-requests.ts';
import { hostileJson, hostileTexts, privateNumber } from './hostile-values.ts';

/** A request of a reader, as plain data. */
export interface QueryAttempt {
  readonly method: string;
  /** As API Gateway hands it on, decoded once. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64; null: none. */
  readonly body: string | null;
  readonly isBase64: boolean;
  readonly caller: 'iam' | 'viewer' | 'support' | 'operator' | 'none';
  /** The payload of a token that is not one of ours, as JSON; null: that of the caller. */
  readonly payload: string | null;
}

const ids = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('m-1', 'm-2', 'spring', 'backup/b-1', 'main/m-1', 'r-1') },
  { weight: 2, arbitrary: hostileSegments },
  fc.constantFrom('m~m-1', 'r~r-1', 'm~', 'r~backup/b-1', privateNumber, '%2B12025550143'),
  fc.constantFrom('2026-01-15T11:00:00.000Z#req-1#0', '2026-01-15T11:00:00.000Z#a#body', '#', '##'),
);

const paths = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...routeNames), ids)
      .map(([name, id]) => routes[name].path.replace(/\{\w+\}/, () => id)),
  },
  { weight: 1, arbitrary: fc.constantFrom('/session', '/v1', '/v1/', '//', '', '/v1/health') },
  { weight: 1, arbitrary: ids.map((id) => `/v1/quarantine/${id}/replay`) },
  {
    weight: 1,
    arbitrary: fc.array(hostileSegments, { maxLength: 4 }).map((parts) => `/v1/${parts.join('/')}`),
  },
);

/** Cursors with a valid checksum, and a position that the lists may not have. */
const forgedCursors = fc
  .tuple(
    fc.constantFrom(
      '',
      '2026-01-15T09:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
      '+275760-09-13T00:00:00.000Z',
    ),
    fc.constantFrom(0, 1, -1, 15, 1e21),
    fc.oneof(fc.constant(null), hostileTexts, fc.constantFrom('send#spring', 'message#m-1')),
    fc.constantFrom(
      ['sends'],
      ['failed'],
      ['unknown'],
      ['pending'],
      ['replies'],
      ['opt-outs'],
      ['phone'],
      ['send', 'spring'],
    ),
  )
  .map(([at, partition, key, list]) => encodeCursor({ at, partition, key }, list));

const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  limit: fc.constantFrom('1', '50', '100', '0', '101', '1e1', '-1', ' 1', '٩', '0x10'),
  cursor: fc.oneof(forgedCursors, hostileTexts),
  since: fc.constantFrom(
    '2026-01-14T00:00:00Z',
    '2026-01-01T00:00:00%2B14:00',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    '2026-01-14',
  ),
  until: fc.constantFrom('2026-01-16T00:00:00Z', '2026-01-14T00:00:00Z', '2999-12-31T23:59:60Z'),
  status: fc.constantFrom('sent', 'failed,undelivered', 'delivered,', ',', 'toString', '__proto__'),
  source: fc.constantFrom('main', 'backup', 'other', '__proto__'),
  channel: fc.constantFrom('sms', 'whatsapp', 'constructor'),
  state: fc.constantFrom('failed', 'pending', 'unknown', '__proto__', 'toString'),
  country: fc.constantFrom('US', 'ZZ', 'us', '__'),
  reason: fc.constantFrom('bad-time', 'captured', 'constructor'),
  by: fc.constantFrom('country', 'source,reason', 'country,country', '', '__proto__'),
  interval: fc.constantFrom('hour', 'day', 'valueOf'),
};

const parameters = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .constantFrom(...Object.entries(values))
      .chain(([name, value]) => value.map((text) => `${name}=${text}`)),
  },
  { weight: 1, arbitrary: fc.tuple(hostileSegments, hostileSegments).map((pair) => pair.join('=')) },
);

const searches = fc
  .oneof(hostileTexts, fc.constantFrom(privateNumber, 'm-1', '(202) 555-0143', 'spring', '0'.repeat(513)))
  .map((q) => JSON.stringify(q));

const searchBodies = fc
  .oneof({ weight: 3, arbitrary: searches }, { weight: 1, arbitrary: hostileJson })
  .map((q) => Buffer.from(`{"q":${q}}`).toString('base64'));

export const queryAttempts: fc.Arbitrary<QueryAttempt> = fc.record({
  method: mostly(
    fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
    fc.constantFrom('PUT', 'get', '', 'TRACE', '__proto__'),
  ),
  path: paths,
  query: fc.array(parameters, { maxLength: 3 }).map((all) => all.join('&')),
  headers: fc
    .tuple(
      hostileHeaders,
      fc.constantFrom(undefined, 'yes', 'YES', ''),
      fc.option(fc.oneof(hostileTexts, fc.constantFrom('*', '"', 'W/"a', '"a", "b"')), { nil: undefined }),
    )
    .map(([headers, reveal, tag]) => ({
      ...headers,
      ...(reveal !== undefined && { 'x-reveal': reveal }),
      ...(tag !== undefined && { 'if-none-match': tag }),
    })),
  body: fc.oneof({ weight: 2, arbitrary: searchBodies }, fc.constant(null), hostileBodies),
  isBase64: fc.boolean(),
  caller: fc.constantFrom('iam', 'viewer', 'support', 'operator', 'operator', 'none'),
  payload: fc.option(hostileJson, { freq: 8 }),
});

/** What API Gateway says about the caller, and the token that it has verified. */
export function callerOfAttempt({ caller, payload }: QueryAttempt): {
  readonly authorizer: object | undefined;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (caller === 'none') return { authorizer: undefined, headers: {} };
  if (caller === 'iam') return { authorizer: { iam: {} }, headers: {} };
  const text = payload ?? JSON.stringify({ sub: 'user-1', groups: [caller] });
  return {
    authorizer: { jwt: { claims: { sub: 'user-1', groups: `[${caller}]` }, scopes: [] } },
    headers: { authorization: `Bearer e30.${Buffer.from(text).toString('base64url')}.c2ln` },
  };
}
