import { describe, expect, it } from 'vitest';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { apiKey, inMemorySandbox } from './sandbox-under-test.ts';

const webhookPath = '/v1/account/webhook';
const named = (name: string) => ({ error: { name, message: expect.any(String) } });

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
