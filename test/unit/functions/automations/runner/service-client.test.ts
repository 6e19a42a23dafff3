import { describe, expect, it } from 'vitest';
import {
  createServiceConnector,
  serviceOfInvocation,
} from '../../../../../functions/automations/runner/service-client.ts';
import { successForMessage, successOf } from '../../../../../functions/automations/runner/service-results.ts';
import type { ApiKeyResult } from '../../../../../functions/base/sms-service/api-key-store.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { answer, createScriptedService, type Step } from '../../base/sms-service/scripted-server.ts';
import { createTestPorts } from '../../base/sms-service/test-ports.ts';

const { token } = shippedContract.service;
const exchange = `${token.exchange.method} ${token.exchange.path}`;
const storing = 'POST /v1/contacts/store';
const contactId = '3f1f5f6e-6f0b-4f5e-8c0c-0d8a7a1f2b3c';
const contact = { phone: '+12025550143' };
const good = answer(200, { access_token: 'token', expires_in: 3600 });
const created = answer(200, JSON.stringify(contactId));

function connector(script: Record<string, readonly Step[]>, keys: readonly ApiKeyResult[] = []) {
  const { ports, advance, sleeps } = createTestPorts();
  const server = createScriptedService({ [exchange]: [good], ...script }, () => undefined);
  let reads = 0;
  const connect = createServiceConnector({
    baseUrl: server.url,
    token,
    readApiKey: async () => keys[reads++] ?? { kind: 'ok', value: `key-${reads}` },
    ports: { ...ports, fetch: server.fetch },
  });
  const soon = () => ports.clock() + 20_000;
  const store = async () => (await connect(soon())).createContact(contact);
  return { connect, server, soon, store, advance, sleeps, reads: () => reads };
}

describe('the API key of the runner', () => {
  it('is read once for many invocations', async () => {
    const { connect, soon, reads } = connector({ [storing]: [created] });
    for (let invocation = 0; invocation < 3; invocation++) {
      const client = await connect(soon());
      expect(successOf(await client.createContact(contact))).toBe(contactId);
    }
    expect(reads()).toBe(1);
  });

  it('is read again after the service rejected it', async () => {
    const { connect, soon, store, reads } = connector({
      [exchange]: [answer(401), good],
      [storing]: [created],
    });
    const refused = await store();
    expect(() => successOf(refused)).toThrow('exchange token: unauthorized (401)');
    const client = await connect(soon());
    expect(successOf(await client.createContact(contact))).toBe(contactId);
    expect(reads()).toBe(2);
  });

  it('that is missing is a failure to retry, and is read again', async () => {
    const missing = {
      kind: 'error',
      error: { kind: 'api-key-missing', message: 'The secret does not exist.' },
    } as const;
    const { connect, soon } = connector({ [storing]: [created] }, [missing]);
    await expect(connect(soon())).rejects.toMatchObject({
      name: 'RetryLaterError',
      message: 'api-key-missing',
    });
    await expect(connect(soon())).resolves.toBeDefined();
  });
});

describe('a failure of the service', () => {
  it.each([
    [400, 'bad-request', undefined],
    [429, 'too-many-requests', 0],
  ])('with %i and no requested wait: %s, and a wait of %s s', async (status, kind, seconds) => {
    const { store } = connector({ [storing]: [answer(status, 'hello there')] });
    const result = await store();
    const message = `create contact: ${kind} (${status})`;
    expect(() => successOf(result)).toThrow(expect.objectContaining({ message, seconds }));
  });
});

describe('a call of the service for one message', () => {
  it.each<[string, string, number]>([
    ...[400, 422].map((status): [string, string, number] => ['is not retried', storing, status]),
    ...[401, 403, 404, 409, 429, 500, 503].map((status): [string, string, number] => [
      'is retried',
      storing,
      status,
    ]),
    ['is retried', exchange, 400],
    ['is retried', exchange, 422],
  ])('%s if %s answers %i, and is reported by names only', async (outcome, operation, status) => {
    const { store } = connector({ [operation]: [answer(status, 'not +12025550143')] });
    const result = await store();
    const name = outcome === 'is retried' ? 'RetryLaterError' : 'GiveUpError';
    expect(() => successForMessage(result)).toThrow(expect.objectContaining({ name }));
    expect(() => successForMessage(result)).not.toThrow('2025550143');
  });
});

it('the runner calls a service that asks to wait only after that time, in any invocation', async () => {
  const { store, server, advance } = connector({
    [storing]: [answer(429, '', { 'retry-after': '90' }), created],
  });
  await store();
  const asked = server.requests.length;
  const early = await store();
  expect(early).toMatchObject({ kind: 'error', error: { kind: 'too-many-requests', retryAfterMs: 90_000 } });
  expect(server.requests).toHaveLength(asked);
  advance(90_000);
  expect(successOf(await store())).toBe(contactId);
});

it('the runner ends each call before the invocation ends', async () => {
  const { connect, server, soon, sleeps } = connector({
    [storing]: [answer(503, '', { 'retry-after': '9' })],
  });
  const service = serviceOfInvocation(connect, soon() - 8_000);
  const result = await (await service()).createContact(contact);
  expect(result).toMatchObject({ kind: 'error', error: { kind: 'server' } });
  expect([server.count(storing), sleeps]).toEqual([1, []]);
});

it('the runner has one client for each invocation, connected at its first use', async () => {
  const { connect, soon, reads } = connector({});
  const service = serviceOfInvocation(connect, soon());
  expect(reads()).toBe(0);
  expect(await service()).toBe(await service());
});
