import { describe, expect, it } from 'vitest';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import { err } from '../../../../../functions/base/sms-service/request.ts';
import { createSmsServiceClient } from '../../../../../functions/base/sms-service/service-client.ts';
import { accountWebhookPath } from '../../../../../functions/registration/services/account-webhook.ts';
import { handle } from '../../../../../functions/registration/setup/handle.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import { apiKey, startScriptedSetup } from './doubles/setup-under-test.ts';

const cards = 'GET /v1/billing/cards';

/** Setup whose service plays a script for any operation. */
function start(script: Parameters<typeof startScriptedSetup>[0]) {
  const { ports, server } = startScriptedSetup(script);
  const { token } = shippedContract.service;
  const connect = (key: string) =>
    createSmsServiceClient({
      baseUrl: server.url,
      token,
      apiKey: key,
      ports: { ...ports, fetch: server.fetch },
      deadline: deadlineAt(ports.clock() + 45_000, ports.clock),
    });
  const api = { connect, tokenPath: token.exchange.path, webhookPath: accountWebhookPath, isDescribed: true };
  return {
    server,
    ports: { ...ports, api },
    call: (request: object) => handle({ action: 'call', ...request }, { ...ports, api }),
  };
}

describe('a call of any operation', () => {
  it('is sent with the key and token of the pipeline, and answered as received', async () => {
    const { call, server } = start({ [cards]: [answer(200, { data: [{ number: '4242' }] })] });
    expect(await call({ method: 'GET', path: '/v1/billing/cards?page=2' })).toEqual({
      answer: { data: [{ number: '4242' }] },
      redacted: [],
    });
    expect(server.requests.at(-1)?.headers.authorization).toMatch(/^Bearer /);
  });

  it('answers without the fields that are called as a secret is', async () => {
    const data = {
      id: 7,
      Secret: 'one',
      nested: [{ access_token: 'two', token: { value: 'three' } }],
      api_key: 'a',
      password: 'b',
      clientSecret: 'c',
      'signing-secret': 'd',
      nextPageToken: 'e',
      key: 'f',
    };
    const { call } = start({ [cards]: [answer(200, { data })] });
    expect(await call({ method: 'GET', path: '/v1/billing/cards' })).toEqual({
      answer: {
        data: {
          id: 7,
          Secret: '[redacted]',
          nested: [{ access_token: '[redacted]', token: '[redacted]' }],
          api_key: '[redacted]',
          password: '[redacted]',
          clientSecret: '[redacted]',
          'signing-secret': '[redacted]',
          nextPageToken: 'e',
          key: 'f',
        },
      },
      redacted: [
        'data.Secret',
        'data.nested[0].access_token',
        'data.nested[0].token',
        'data.api_key',
        'data.password',
        'data.clientSecret',
        'data.signing-secret',
      ],
    });
  });

  it('answers without the key and the token of the pipeline, wherever the service repeats them', async () => {
    let token = '';
    const { call, server } = start({
      [cards]: [
        (request) => {
          token = request.headers.authorization?.replace('Bearer ', '') ?? '';
          return answer(200, { username: apiKey, session: [`is ${token}`], number: '4242' })(request);
        },
      ],
    });
    expect(await call({ method: 'GET', path: '/v1/billing/cards' })).toEqual({
      answer: { username: '[redacted]', session: ['is [redacted]'], number: '4242' },
      redacted: ['username', 'session[0]'],
    });
    expect([token.length > 0, server.requests.length]).toEqual([true, 2]);
  });

  it('sends its body, and has no answer where the service sends none', async () => {
    const { call, server } = start({ 'POST /v1/contacts/store': [answer(200)] });
    const body = { phone: '+12025550143' };
    expect(await call({ method: 'POST', path: '/v1/contacts/store', body })).toEqual({
      answer: null,
      redacted: [],
    });
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual(body);
  });

  it('fails with the words of the service, without the key', async () => {
    const { call } = start({ [cards]: [answer(422, { message: `no ${apiKey}` })] });
    const failure = await call({ method: 'GET', path: '/v1/billing/cards' });
    expect(failure).toMatchObject({ error: { kind: 'validation' } });
    expect(JSON.stringify(failure)).not.toContain(apiKey);
  });

  it('says that an answer nests too deep to be shown', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const { call } = start({ [cards]: [answer(200, deep)] });
    expect(await call({ method: 'GET', path: '/v1/billing/cards' })).toEqual({
      error: {
        kind: 'answer-too-deep',
        message: 'GET request: the SMS service answered with JSON of more than 64 levels, which is not shown',
      },
    });
  });

  it('fails while no key is stored', async () => {
    const { ports } = start({});
    const readApiKey = async () => err({ kind: 'api-key-missing', message: 'Store it.' } as const);
    expect(await handle({ action: 'call', method: 'GET', path: '/v1/x' }, { ...ports, readApiKey })).toEqual({
      error: { kind: 'api-key-missing', message: 'Store it.' },
    });
  });

  it('is refused if the contract describes another API for the registration', async () => {
    const { ports, server } = start({});
    const api = { ...ports.api, isDescribed: false };
    const request = { action: 'call', method: 'GET', path: '/v1/Services' };
    expect(await handle(request, { ...ports, api })).toMatchObject({ error: { kind: 'refused' } });
    expect(server.requests).toEqual([]);
  });

  it.each([
    '/v1/account/webhook',
    '/v1/account/webhook/',
    '/v1/account/webhook?x=1',
    '/v1/account/WebHook',
    '/v1/account/%77ebhook',
    '/v1/account/webhook%20',
    '/v1/account/webhook.json',
    '/v1/account/webhook/deliveries',
    '/v1/auth/token',
  ])('of %s is refused, because its answer holds a secret', async (path) => {
    const { call, server } = start({});
    expect(await call({ method: 'GET', path })).toMatchObject({ error: { kind: 'refused' } });
    expect(server.requests).toEqual([]);
  });

  it.each([
    { method: 'TRACE', path: '/v1/x' },
    { method: 'GET', path: 'v1/x' },
    { method: 'GET', path: '/v1/%zz' },
    { method: 'GET', path: '/v1/x y' },
    ...[
      '//v1/account/webhook',
      '/v1//account/webhook',
      '/v1/x/../account/webhook',
      '/v1/./account/webhook',
      '/v1/account/webhook;x=1',
      '/v1/account%2Fwebhook',
      '/v1/account/%2577ebhook',
      '/v1/account/%2e/webhook',
      '/%FF',
      '//',
      '/',
    ].map((path) => ({ method: 'GET', path })),
  ])('of %j is no request', async (request) => {
    expect(await start({}).call(request)).toMatchObject({ error: { kind: 'unknown-action' } });
  });
});
