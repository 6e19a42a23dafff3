import { describe, expect, it } from 'vitest';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { apiKey, inMemorySandbox } from './sandbox-under-test.ts';

const webhookPath = '/v1/account/webhook';
const named = (name: string) => ({ error: { name, message: expect.any(String) } });
const problemAt = (...paths: readonly string[]) => ({
  error: { problems: paths.map((path) => ({ path, message: expect.any(String) })) },
});

describe('authentication', () => {
  it('exchanges the API key for a token', async () => {
    const { call } = inMemorySandbox();
    expect(await call('POST', '/v1/auth/token', { api_key: apiKey })).toMatchObject({
      status: 200,
      json: {
        access_token: expect.stringMatching(/^sandbox-token-.{24}$/),
        token_type: 'Bearer',
        expires_in: 3600,
      },
    });
  });

  it.each([[{ api_key: 'wrong' }], [{}], ['no json'], ['[]'], [undefined]])(
    'rejects the key %j',
    async (body) => {
      const { call } = inMemorySandbox();
      expect(await call('POST', '/v1/auth/token', body)).toMatchObject({
        status: 401,
        json: named('Unauthorized'),
      });
    },
  );

  it.each([
    ['POST', '/v1/contacts/store'],
    ['GET', webhookPath],
    ['DELETE', '/v1/auth/token'],
  ])('%s %s requires a valid token', async (method, path) => {
    const { call } = inMemorySandbox();
    for (const authorization of ['Bearer unknown', 'Basic x', 'Bearer'])
      expect(await call(method, path, undefined, { authorization })).toMatchObject({ status: 401 });
    expect(await call(method, path)).toMatchObject({ status: 401, json: named('Unauthorized') });
  });

  it('accepts a token until it expires or is revoked', async () => {
    let now = 0;
    const { call, exchange } = inMemorySandbox({ clock: () => now });
    const headers = { authorization: `Bearer ${await exchange()}` };
    now = 3_599_999;
    expect(await call('GET', webhookPath, undefined, headers)).toMatchObject({ status: 200 });
    now = 3_600_000;
    expect(await call('GET', webhookPath, undefined, headers)).toMatchObject({ status: 401 });

    const fresh = { authorization: `Bearer ${await exchange()}` };
    expect(await call('DELETE', '/v1/auth/token', undefined, fresh)).toMatchObject({
      status: 204,
      json: undefined,
    });
    expect(await call('GET', webhookPath, undefined, fresh)).toMatchObject({ status: 401 });
  });

  it('does not start with a contract whose token answer it cannot write', () => {
    const { service } = shippedContract;
    const exchange = { ...service.token.exchange, accessToken: 'tokens[0]' };
    const contract = { ...shippedContract, service: { ...service, token: { ...service.token, exchange } } };
    expect(() => inMemorySandbox({ contract })).toThrow(
      'service.token.exchange.accessToken must be a dotted path, for example data.token',
    );
  });
});

it.each([
  ['POST', '/v1/contacts/store', 400, 'no json', '{', ['$']],
  ['POST', '/v1/contacts/store', 400, 'no phone', {}, ['phone']],
  ['POST', '/v1/contacts/store', 400, 'wrong types', { phone: 7, lists: ['x'] }, ['phone', 'lists.0']],
  ['PUT', webhookPath, 422, 'no json', '', ['$']],
  ['PUT', webhookPath, 422, 'no url', {}, ['url']],
  ['PUT', webhookPath, 422, 'a url that is none', { url: 'x', rotate_secret: 'y' }, ['url', 'rotate_secret']],
  [
    'PUT',
    '/sandbox/cards',
    422,
    'a long number',
    { data: [{ number: '42424', validate: '' }] },
    ['data.0.number'],
  ],
])('%s %s answers %i for %s, with the paths', async (method, path, status, _, body, paths) => {
  const answer = await inMemorySandbox().authorized(method, path, body);
  expect(answer).toMatchObject({ status, json: problemAt(...paths) });
});

describe('webhook', () => {
  it('answers 429 to the eleventh call in ten seconds, with the time to wait', async () => {
    let now = 0;
    const { authorized } = inMemorySandbox({ clock: () => now });
    const put = () => authorized('PUT', webhookPath, { url: 'https://a.example/' });
    for (let call = 0; call < 10; call++) {
      expect((await put()).status).toBe(200);
      now += 100;
    }
    const refused = await put();
    expect(refused).toMatchObject({ status: 429, json: named('TooManyRequests') });
    expect(refused.headers['retry-after']).toBe('9');
    now = 9_999;
    expect((await put()).status).toBe(429);
    now = 10_000;
    expect((await put()).status).toBe(200);
    expect((await put()).status).toBe(429);
  });
});

describe('other requests', () => {
  it.each([
    ['GET', '/'],
    ['POST', webhookPath],
    ['GET', '/v1/lists'],
  ])('are answered with 404 for %s %s', async (method, path) => {
    const { call } = inMemorySandbox();
    expect(await call(method, path)).toMatchObject({ status: 404, json: named('NotFound') });
  });
});

describe('cards', () => {
  const path = '/v1/billing/cards';

  it('are replaced, with defaults for missing fields', async () => {
    const { authorized, call } = inMemorySandbox();
    const replaced = await call('PUT', '/sandbox/cards', { data: [{ validate: '01/27', default: true }] });
    expect(replaced).toMatchObject({ status: 200 });
    const { json } = await authorized('GET', path);
    expect(json).toEqual(replaced.json);
    expect(json).toMatchObject({
      data: [{ validate: '01/27', default: true, number: '4242', flag: 'visa' }],
    });
  });
});
