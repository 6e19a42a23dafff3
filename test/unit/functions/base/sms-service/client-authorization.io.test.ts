import { describe, expect, it } from 'vitest';
import { apiKey, exchange, good, read, set, start, webhook } from './client-under-test.ts';
import { answer, type Step, tokens } from './scripted-server.ts';

describe('a token that the service rejects', () => {
  it('is replaced once', async () => {
    const { registration, server } = await start({ [read]: [answer(401), good] });
    expect(await registration.read()).toEqual({ kind: 'ok', value: webhook });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer token-1',
      undefined,
      'Bearer token-2',
    ]);
  });

  it('is replaced for a rotation too, because a rejected call has changed nothing', async () => {
    const { registration, server } = await start({ [set]: [answer(401), good] });
    expect(await registration.rotate(webhook.url)).toMatchObject({ kind: 'ok' });
    expect(server.count(set)).toBe(2);
  });

  it('is replaced once for all calls that used it', async () => {
    const isOld: Step = (request) =>
      (request.headers.authorization === 'Bearer token-1' ? answer(401) : good)(request);
    const { registration, server } = await start({ [read]: [isOld] });
    const results = await Promise.all(Array.from({ length: 10 }, () => registration.read()));
    expect(results.every(({ kind }) => kind === 'ok')).toBe(true);
    expect(server.count(exchange)).toBe(2);
  });
});

it('a token that is no longer valid counts as revoked', async () => {
  const { client } = await start({ [read]: [good], 'DELETE /v1/auth/token': [answer(401)] });
  await client.request('GET', '/v1/account/webhook');
  expect(await client.revokeToken()).toEqual({ kind: 'ok', value: undefined });
});

describe('the SMS service client, for a service that echoes,', () => {
  const echo =
    (status: number): Step =>
    (request) =>
      answer(status, {
        headers: request.headers,
        query: request.path,
        body: request.body,
        secret: 'unknown',
      })(request);

  it.each([400, 401, 403, 404, 422, 429, 500])(
    'shows neither key, token nor secret in an error: %i',
    async (status) => {
      const { registration } = await start({ [read]: [good], [set]: [echo(status)], [exchange]: [tokens()] });
      await registration.read();
      const later = await registration.rotate(`https://x.example/${webhook.secret}`);
      expect(later).toMatchObject({ kind: 'error', error: { body: expect.stringContaining('[redacted]') } });
      expect(JSON.stringify(later)).not.toMatch(/token-1|token-2|whsec_c2VjcmV0|unknown/);

      const other = await start({ [exchange]: [echo(status)] });
      const refused = await other.registration.read();
      expect(refused).toMatchObject({
        kind: 'error',
        error: { body: expect.stringContaining('[redacted]') },
      });
      expect(JSON.stringify(refused)).not.toContain(apiKey);
    },
  );
});
