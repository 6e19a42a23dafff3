import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { createSmsServiceClient, type SmsServiceClient } from '../../../../functions/sms-service/client.ts';
import type { TokenContract } from '../../../../functions/sms-service/session.ts';
import { type SmsServiceSandbox, startSmsService } from '../../../../local/sms-service/sandbox.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { describeWebhookService } from '../../../support/suites/sms-service-webhook.ts';
import { createTestPorts } from './test-ports.ts';

const apiKey = 'the-api-key-of-the-test';
const ours = 'https://pipeline.example/webhooks/sms';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let sandbox: SmsServiceSandbox;
let client: SmsServiceClient;

beforeEach(async () => {
  sandbox = await startSmsService({ port: 0, contract: shippedContract, apiKey });
  client = connect();
});
afterEach(() => sandbox.close());

function connect(
  options: { apiKey?: string; token?: TokenContract; ports?: ReturnType<typeof createTestPorts> } = {},
) {
  const { token } = shippedContract.service;
  const { ports } = options.ports ?? createTestPorts();
  return createSmsServiceClient({ baseUrl: sandbox.url, token, apiKey, ...options, ports });
}

async function state(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/sandbox/state`)).json();
}

describeWebhookService('the sandbox, seen by the SMS service client', () => ({
  client,
  changeElsewhere: (change) =>
    fetch(`${sandbox.url}/sandbox/webhook`, { method: 'POST', body: JSON.stringify(change) }),
  rotations: async () =>
    z.object({ webhook: z.object({ rotations: z.number() }) }).parse(await state()).webhook.rotations,
}));

describe('the SMS service client, against the sandbox,', () => {
  it('creates a contact and updates it by its phone', async () => {
    const created = await client.createContact({ phone: '+12025550143', full_name: 'Ada' });
    expect(created).toEqual({ kind: 'ok', value: expect.stringMatching(uuid) });
    const list = 'a0a0a0a0-1111-4222-8333-444444444444';
    const updated = await client.createContact({
      phone: '+12025550143',
      email: 'ada@example.com',
      lists: [list],
    });
    expect(updated).toEqual(created);
    expect(await state()).toMatchObject({
      contacts: [{ phone: '+12025550143', full_name: 'Ada', email: 'ada@example.com', lists: [list] }],
    });
  });

  it('returns why a contact was rejected', async () => {
    const result = await client.createContact({ phone: '+12025550143', email: 'no address' });
    expect(result).toMatchObject({
      kind: 'error',
      error: {
        kind: 'bad-request',
        operation: 'create contact',
        status: 400,
        body: expect.stringContaining('"email"'),
      },
    });
  });

  it('lists the saved cards', async () => {
    const cards = await client.listCards();
    expect(
      cards.kind === 'ok' && cards.value.map(({ number, default: isDefault }) => [number, isDefault]),
    ).toEqual([
      ['4242', true],
      ['4444', false],
    ]);
  });

  it('calls operations by their names, with and without a schema', async () => {
    const cards = z.object({ data: z.array(z.object({ flag: z.string() })) });
    expect(await client.request('GET', '/v1/billing/cards', undefined, cards)).toEqual({
      kind: 'ok',
      value: { data: [{ flag: 'visa' }, { flag: 'mastercard' }] },
    });
    expect(await client.request('POST', '/v1/contacts/store', { phone: '+12025550143' })).toEqual({
      kind: 'ok',
      value: expect.stringMatching(uuid),
    });
    expect(await client.request('DELETE', '/v1/contacts/1')).toMatchObject({
      error: { kind: 'not-found', operation: 'DELETE request' },
    });
  });

  it('uses one token for many concurrent calls, and revokes it', async () => {
    await Promise.all(Array.from({ length: 20 }, () => client.readWebhook()));
    expect(await state()).toMatchObject({ tokens: 1 });
    expect(await client.revokeToken()).toEqual({ kind: 'ok', value: undefined });
    expect(await state()).toMatchObject({ tokens: 0 });
    expect(await client.readWebhook()).toMatchObject({ kind: 'ok' });
  });

  it('revokes nothing without a token, or if the contract defines no way', async () => {
    expect(await client.revokeToken()).toEqual({ kind: 'ok', value: undefined });
    const { token } = shippedContract.service;
    const other = connect({ token: { ...token, revoke: null } });
    await other.readWebhook();
    expect(await other.revokeToken()).toEqual({ kind: 'ok', value: undefined });
    expect(await state()).toMatchObject({ tokens: 1 });
  });

  it('reports that the API key is wrong', async () => {
    expect(await connect({ apiKey: 'another' }).readWebhook()).toMatchObject({
      kind: 'error',
      error: { kind: 'unauthorized', operation: 'exchange token', status: 401 },
    });
  });

  it('is throttled by the quota of set webhook, waits as long as Retry-After says, and continues', async () => {
    const clocked = createTestPorts();
    await sandbox.close();
    sandbox = await startSmsService({
      port: 0,
      contract: shippedContract,
      apiKey,
      clock: clocked.ports.clock,
    });
    const patient = connect({ ports: clocked });
    for (let call = 0; call < 11; call++)
      expect(await patient.setWebhook({ url: ours })).toMatchObject({ kind: 'ok' });
    // 10 s by Retry-After, plus half of the first interval of jitter.
    expect(clocked.sleeps).toEqual([10_125]);
  });
});

describe('the SMS service client, with the token exchanges of other contracts,', () => {
  const { token } = shippedContract.service;
  const exchanges: [string, Partial<TokenContract['exchange']>, TokenContract['revoke']][] = [
    [
      'the key as a bearer token, the answer nested',
      {
        path: '/oauth/token',
        apiKey: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
        accessToken: 'data."access-token"',
        expiresIn: 'data.ttl',
      },
      { method: 'POST', path: '/oauth/revoke' },
    ],
    [
      'the key in the query of a GET, no lifetime',
      {
        method: 'GET',
        path: '/token',
        apiKey: { in: 'query', name: 'key', prefix: '' },
        accessToken: 'token',
        expiresIn: null,
      },
      null,
    ],
  ];

  it.each(exchanges)('accepts %s', async (_, exchange, revoke) => {
    const changed: TokenContract = { exchange: { ...token.exchange, ...exchange }, revoke };
    const contract: Contract = {
      ...shippedContract,
      service: { ...shippedContract.service, token: changed },
    };
    await sandbox.close();
    sandbox = await startSmsService({ port: 0, contract, apiKey });
    const other = connect({ token: changed });
    expect(await other.readWebhook()).toMatchObject({ kind: 'ok' });
    expect(await other.revokeToken()).toMatchObject({ kind: 'ok' });
    expect(await connect({ token: changed, apiKey: 'wrong' }).readWebhook()).toMatchObject({ kind: 'error' });
  });
});
