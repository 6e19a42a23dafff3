import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  createSmsServiceClient,
  type SmsServiceClient,
} from '../../../../../functions/base/sms-service/service-client.ts';
import type { TokenContract } from '../../../../../functions/base/sms-service/session.ts';
import { createAccountWebhook } from '../../../../../functions/registration/services/account-webhook.ts';
import { type SmsServiceSandbox, startSmsService } from '../../../../../local/sms-service/sandbox.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { describeWebhookService } from '../../../../support/suites/sms-service-webhook.ts';
import { createTestPorts } from './test-ports.ts';

const apiKey = 'the-api-key-of-the-test';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let sandbox: SmsServiceSandbox;
let client: SmsServiceClient;

beforeEach(async () => {
  sandbox = await startSmsService({ port: 0, contract: shippedContract, apiKey });
  client = connect();
});
afterEach(() => sandbox.close());

function connect(options: { token?: TokenContract } = {}) {
  return createSmsServiceClient({ ...session(), ...options });
}

function session() {
  const { token } = shippedContract.service;
  return { baseUrl: sandbox.url, token, apiKey, ports: createTestPorts().ports };
}

async function state(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/sandbox/state`)).json();
}

describeWebhookService('the sandbox, seen by the account webhook', () => ({
  client: createAccountWebhook(session()),
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
    await Promise.all(Array.from({ length: 20 }, () => client.listCards()));
    expect(await state()).toMatchObject({ tokens: 1 });
    expect(await client.revokeToken()).toEqual({ kind: 'ok', value: undefined });
    expect(await state()).toMatchObject({ tokens: 0 });
    expect(await client.listCards()).toMatchObject({ kind: 'ok' });
  });

  it('revokes nothing without a token, or if the contract defines no way', async () => {
    expect(await client.revokeToken()).toEqual({ kind: 'ok', value: undefined });
    const { token } = shippedContract.service;
    const other = connect({ token: { ...token, revoke: null } });
    await other.listCards();
    expect(await other.revokeToken()).toEqual({ kind: 'ok', value: undefined });
    expect(await state()).toMatchObject({ tokens: 1 });
  });
});
