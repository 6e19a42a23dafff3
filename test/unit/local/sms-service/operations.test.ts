import { describe, expect, it } from 'vitest';
import { formContract, nestedContract, shippedContract } from '../../../../tools/support/contracts.ts';
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

describe('contacts', () => {
  it.each([
    ['no json', '{', ['$']],
    ['no phone', {}, ['phone']],
    [
      'wrong types',
      { phone: 7, full_name: 7, email: 'x', lists: ['x'] },
      ['phone', 'full_name', 'email', 'lists.0'],
    ],
  ])('answer 400 for %s', async (_, body, paths) => {
    const { authorized } = inMemorySandbox();
    expect(await authorized('POST', '/v1/contacts/store', body)).toMatchObject({
      status: 400,
      json: problemAt(...paths),
    });
  });
});

describe('webhook', () => {
  it('starts empty, gets its secret with its first URL, and keeps it', async () => {
    const { authorized } = inMemorySandbox();
    expect((await authorized('GET', webhookPath)).json).toEqual({ url: '', secret: '' });
    expect((await authorized('PUT', webhookPath, { url: '' })).json).toEqual({ url: '', secret: '' });
    const { json } = await authorized('PUT', webhookPath, { url: 'https://a.example/' });
    expect(json).toEqual({
      url: 'https://a.example/',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    });
    expect((await authorized('PUT', webhookPath, { url: 'https://a.example/' })).json).toEqual(json);
    const deactivated = await authorized('PUT', webhookPath, { url: '', rotate_secret: false });
    expect(deactivated.json).toEqual({ ...Object(json), url: '' });
  });

  it.each([
    ['form', formContract, /^[0-9a-f]{48}$/],
    ['nested', nestedContract, /^[\w-]{43}$/],
  ])('creates secrets in the format of the %s contract', async (_, contract, form) => {
    const { authorized } = inMemorySandbox({ contract });
    const { json } = await authorized('PUT', webhookPath, { url: 'https://a.example/' });
    expect(json).toEqual({ url: 'https://a.example/', secret: expect.stringMatching(form) });
  });

  it.each([
    ['no json', '', ['$']],
    ['no url', {}, ['url']],
    ['a url that is none', { url: 'x', rotate_secret: 'yes' }, ['url', 'rotate_secret']],
  ])('422 for %s', async (_, body, paths) => {
    const { authorized } = inMemorySandbox();
    expect(await authorized('PUT', webhookPath, body)).toMatchObject({
      status: 422,
      json: problemAt(...paths),
    });
  });

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

  it('are kept when others are invalid', async () => {
    const { authorized, call } = inMemorySandbox();
    const before = await authorized('GET', path);
    const invalid = { data: [{ number: '4242424242424242', Validate: '' }] };
    expect(await call('PUT', '/sandbox/cards', invalid)).toMatchObject({
      status: 422,
      json: problemAt('data.0.number', 'data.0.validate', 'data.0.Validate'),
    });
    expect((await authorized('GET', path)).json).toEqual(before.json);
  });
});
