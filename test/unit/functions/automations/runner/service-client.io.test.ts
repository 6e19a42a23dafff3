import { afterEach, describe, expect, it } from 'vitest';
import {
  createServiceConnector,
  serviceOfInvocation,
  successForMessage,
  successOf,
} from '../../../../../functions/automations/runner/service-client.ts';
import type { ApiKeyResult } from '../../../../../functions/sms-service/api-key-store.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import {
  answer,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '../../sms-service/scripted-server.ts';
import { createTestPorts } from '../../sms-service/test-ports.ts';

const { token } = shippedContract.service;
const exchange = `${token.exchange.method} ${token.exchange.path}`;
const store = 'POST /v1/contacts/store';
const contactId = '3f1f5f6e-6f0b-4f5e-8c0c-0d8a7a1f2b3c';
const contact = { phone: '+12025550143' };
const servers: ScriptedServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function connector(script: Record<string, readonly Step[]>, keys: readonly ApiKeyResult[] = []) {
  const { ports, advance, sleeps } = createTestPorts();
  const good = answer(200, { access_token: 'token', expires_in: 3600 });
  const server = await startScriptedServer({ [exchange]: [good], ...script }, () => undefined);
  servers.push(server);
  let reads = 0;
  const connect = createServiceConnector({
    baseUrl: server.url,
    token,
    readApiKey: async () => keys[reads++] ?? { kind: 'ok', value: `key-${reads}` },
    ports,
  });
  const soon = () => ports.clock() + 20_000;
  return { connect, server, soon, advance, sleeps, reads: () => reads };
}

describe('the API key of the runner', () => {
  it('is read once for many invocations', async () => {
    const { connect, soon, reads } = await connector({ [store]: [answer(200, JSON.stringify(contactId))] });
    for (let invocation = 0; invocation < 3; invocation++) {
      const client = await connect(soon());
      expect(successOf(await client.createContact(contact))).toBe(contactId);
    }
    expect(reads()).toBe(1);
  });

  it('is read again after the service rejected it', async () => {
    const good = answer(200, { access_token: 'token', expires_in: 3600 });
    const { connect, soon, reads } = await connector({
      [exchange]: [answer(401), good],
      [store]: [answer(200, JSON.stringify(contactId))],
    });
    const refused = await (await connect(soon())).createContact(contact);
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
    const { connect, soon } = await connector({ [store]: [answer(200, JSON.stringify(contactId))] }, [
      missing,
    ]);
    await expect(connect(soon())).rejects.toMatchObject({
      name: 'RetryLaterError',
      message: 'api-key-missing',
    });
    await expect(connect(soon())).resolves.toBeDefined();
  });
});

describe('a failure of the service', () => {
  it('is reported by its name only, with the wait that the service asks for', async () => {
    const words = { error: 'not +12025550143 again' };
    const { connect, soon } = await connector({ [store]: [answer(429, words, { 'retry-after': '90' })] });
    const client = await connect(soon());
    const result = await client.createContact(contact);
    expect(() => successOf(result)).toThrow(
      expect.objectContaining({
        name: 'RetryLaterError',
        message: 'create contact: too-many-requests (429)',
        seconds: 90,
      }),
    );
  });

  it.each([
    [400, 'bad-request', undefined],
    [429, 'too-many-requests', 0],
  ])('with %i and no requested wait: %s, and a wait of %s s', async (status, kind, seconds) => {
    const step = answer(status, 'hello there');
    const { connect, soon } = await connector({ [store]: [step, step, step] });
    const result = await (await connect(soon())).createContact(contact);
    expect(() => successOf(result)).toThrow(
      expect.objectContaining({ message: `create contact: ${kind} (${status})`, seconds }),
    );
  });
});

describe('a call of the service for one message', () => {
  it.each([
    [400, 'bad-request'],
    [422, 'validation'],
  ])(
    'is not retried if the service rejects it as invalid (%i), and is reported by names only',
    async (status, kind) => {
      const { connect, soon } = await connector({ [store]: [answer(status, 'not +12025550143')] });
      const result = await (await connect(soon())).createContact(contact);
      expect(() => successForMessage(result)).toThrow(
        expect.objectContaining({ name: 'GiveUpError', message: `create contact: ${kind} (${status})` }),
      );
    },
  );

  it.each([401, 403, 404, 409, 429, 500, 503])('is retried after %i', async (status) => {
    const { connect, soon } = await connector({ [store]: [answer(status)] });
    const result = await (await connect(soon())).createContact(contact);
    expect(() => successForMessage(result)).toThrow(expect.objectContaining({ name: 'RetryLaterError' }));
  });

  it.each([400, 422])('is retried if the exchange of the key is rejected (%i)', async (status) => {
    const { connect, soon } = await connector({ [exchange]: [answer(status)] });
    const result = await (await connect(soon())).createContact(contact);
    expect(() => successForMessage(result)).toThrow(expect.objectContaining({ name: 'RetryLaterError' }));
  });

  it('returns the answer of the service', async () => {
    const { connect, soon } = await connector({ [store]: [answer(200, JSON.stringify(contactId))] });
    expect(successForMessage(await (await connect(soon())).createContact(contact))).toBe(contactId);
  });
});

it('the runner calls a service that asks to wait only after that time, in any invocation', async () => {
  const { connect, soon, server, advance } = await connector({
    [store]: [answer(429, '', { 'retry-after': '90' }), answer(200, JSON.stringify(contactId))],
  });
  await (await connect(soon())).createContact(contact);
  const asked = server.requests.length;
  const early = await (await connect(soon())).createContact(contact);
  expect(early).toMatchObject({ kind: 'error', error: { kind: 'too-many-requests', retryAfterMs: 90_000 } });
  expect(server.requests).toHaveLength(asked);
  advance(90_000);
  expect(successOf(await (await connect(soon())).createContact(contact))).toBe(contactId);
});

it('the runner ends each call before the invocation ends', async () => {
  const { connect, server, soon, sleeps } = await connector({
    [store]: [answer(503, '', { 'retry-after': '9' })],
  });
  const service = serviceOfInvocation(connect, soon() - 8_000);
  const result = await (await service()).createContact(contact);
  expect(result).toMatchObject({ kind: 'error', error: { kind: 'server' } });
  expect([server.count(store), sleeps]).toEqual([1, []]);
});

it('the runner has one client for each invocation, connected at its first use', async () => {
  const { connect, soon, reads } = await connector({});
  const service = serviceOfInvocation(connect, soon());
  expect(reads()).toBe(0);
  expect(await service()).toBe(await service());
});
