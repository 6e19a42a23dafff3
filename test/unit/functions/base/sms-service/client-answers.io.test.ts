import { describe, expect, it } from 'vitest';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { exchange, good, read, start } from './client-under-test.ts';
import { answer, breakOff } from './scripted-server.ts';

describe('an answer to the SMS service client', () => {
  const wrong = (path: string, expected: string) => ({
    kind: 'error',
    error: { kind: 'unexpected-answer', operation: expect.any(String), status: 200, path, expected },
  });

  it.each([
    ['garbage', '<html>whsec_c2VjcmV0</html>', '$', 'expected JSON'],
    ['a number', 7, '$', 'expected object'],
    ['a list with something in it', [1], '$', 'expected object'],
    ['a URL that is none', { url: 7, secret: 'whsec_c2VjcmV0' }, '$.url', 'expected string'],
    ['a secret that is none', { url: '', secret: {} }, '$.secret', 'expected string'],
  ])('to read webhook is rejected: %s', async (_, body, path, expected) => {
    const { registration } = await start({ [read]: [answer(200, body)] });
    const result = await registration.read();
    expect(result).toEqual(wrong(path, expected));
    expect(JSON.stringify(result)).not.toContain('whsec_');
  });

  it('of the token exchange with 404 is not read as a missing webhook', async () => {
    const { registration } = await start({ [exchange]: [answer(404)] });
    expect(await registration.read()).toMatchObject({
      kind: 'error',
      error: { kind: 'not-found', operation: 'exchange token' },
    });
  });

  it.each([
    ['404', answer(404)],
    ['no body', answer(200)],
    ['204', answer(204)],
    ['null', answer(200, 'null')],
    ['an empty object', answer(200, {})],
    ['an empty list', answer(200, [])],
    ['nulls', answer(200, { url: null, secret: null })],
    ['empty texts', answer(200, { url: '', secret: '' })],
  ])('to read webhook with %s means a webhook that was never configured', async (_, step) => {
    const { registration } = await start({ [read]: [step] });
    expect(await registration.read()).toEqual({ kind: 'ok', value: { url: '', secret: '' } });
  });

  it('is rejected with an invalid card', async () => {
    const card = {
      id: 'a0a0a0a0-1111-4222-8333-444444444444',
      number: '1',
      name: '',
      alias: '',
      validate: '',
      flag: '',
    };
    const { client } = await start({
      'GET /v1/billing/cards': [
        answer(200, {
          data: [
            { ...card, default: true },
            { ...card, default: 'yes' },
          ],
        }),
      ],
    });
    expect(await client.listCards()).toEqual(wrong('$.data.1.default', 'expected boolean'));
  });

  it('is rejected with a contact that has no UUID', async () => {
    const { client } = await start({ 'POST /v1/contacts/store': [answer(200, '"17"')] });
    expect(await client.createContact({ phone: '+12025550143' })).toEqual(
      wrong('$', 'expected another form'),
    );
  });

  it('is rejected above the maximum size', async () => {
    const { registration } = await start({ [read]: [answer(200, 'x'.repeat(4 * 1024 * 1024 + 1))] });
    expect(await registration.read()).toEqual(wrong('$', 'expected at most 4194304 bytes'));
  });

  it('that redirects is not followed, because it could carry the key elsewhere', async () => {
    const { registration, server } = await start({ [read]: [answer(302, '', { location: '/elsewhere' })] });
    expect(await registration.read()).toMatchObject({ error: { kind: 'refused', status: 302 } });
    expect(server.count('GET /elsewhere')).toBe(0);
  });
});

describe('the SMS service client, without a connection,', () => {
  it('names the reason of the system', async () => {
    const { registration, server } = await start({});
    await server.close();
    expect(await registration.read()).toEqual({
      kind: 'error',
      error: { kind: 'network', operation: 'exchange token', code: 'ECONNREFUSED' },
    });
  });

  it('fails if an answer breaks off', async () => {
    const { registration } = await start({ [read]: [breakOff, good] });
    expect(await registration.read()).toMatchObject({ kind: 'ok' });
  });

  it('never shows the message of fetch', async () => {
    const { token } = shippedContract.service;
    const apiKeyPlace = { in: 'header', name: 'x-key', prefix: '' } as const;
    const { registration } = await start(
      {},
      {
        apiKey: 'a key\nof two lines',
        token: { ...token, exchange: { ...token.exchange, apiKey: apiKeyPlace } },
      },
    );
    expect(await registration.read()).toEqual({
      kind: 'error',
      error: { kind: 'network', operation: 'exchange token', code: 'no further reason' },
    });
  });
});
