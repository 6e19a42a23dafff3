import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../../../functions/base/sms-service/request.ts';
import type { Registration } from '../../../../../functions/registration/registration.ts';
import type { SecretDocument } from '../../../../../functions/registration/secret/secret-document.ts';
import { deactivate, register, rotate, status } from '../../../../../functions/registration/setup/actions.ts';
import { handle, runAction } from '../../../../../functions/registration/setup/handle.ts';
import { reconcile } from '../../../../../functions/registration/setup/reconcile.ts';
import type { SetupPorts } from '../../../../../functions/registration/setup/request.ts';
import type { ServiceWebhook } from '../../../../../functions/registration/webhook-drift.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import { documentWith, hour, startScriptedSetup, webhookUrl } from './doubles/setup-under-test.ts';

const elsewhere = 'https://other.example/hook';
const stored = documentWith('whsec_b2xkLXNlY3JldC1vZi1hLXRlc3Q=');

/** Setup at a service whose API has no signing secret: an operator stores it. */
function start(document: SecretDocument | undefined, webhook: ServiceWebhook) {
  let current = webhook;
  const calls: string[] = [];
  const call = (name: string, url: string): ServiceWebhook => {
    calls.push(name);
    current = { url, secret: undefined };
    return current;
  };
  const service: Registration = {
    rotates: false,
    read: async () => ok(current),
    set: async (url) => ok(call('set', url)),
    rotate: async () => err({ kind: 'not-sent', operation: 'set webhook', reason: 'promote the token' }),
    deactivate: async () => ok(call('deactivate', '')),
  };
  const setup = startScriptedSetup({}, document);
  const dependencies: SetupPorts = { ...setup.dependencies, service };
  return { ...setup, dependencies, calls };
}

describe('at a service whose API has no signing secret', () => {
  it('register sets the URL, stores no secret and confirms the one that an operator has stored', async () => {
    const { dependencies, calls, store, state } = start(stored, { url: '', secret: undefined });
    expect(await register(dependencies)).toMatchObject({
      kind: 'ok',
      value: { state: 'registered', secret: { stored: true, matchesService: null } },
    });
    expect([calls, store.document]).toEqual([['set'], stored]);
    expect(state.known.confirmed?.versionId).toBe((await store.read())?.versionId);
  });

  it('register sets nothing before a secret is stored: no event could be verified', async () => {
    const { dependencies, calls } = start(undefined, { url: '', secret: undefined });
    expect(await register(dependencies)).toMatchObject({
      kind: 'error',
      error: { kind: 'secret-missing', message: expect.stringContaining('webhook store-secret') },
    });
    expect(calls).toEqual([]);
  });

  it('register needs no secret if the contract has no signature', async () => {
    const { dependencies, calls } = start(undefined, { url: '', secret: undefined });
    expect(
      await register({ ...dependencies, signature: { scheme: 'none', anyoneMayPost: true } }),
    ).toMatchObject({ kind: 'ok' });
    expect(calls).toEqual(['set']);
  });

  it('a first deployment succeeds without a secret, and says what to do', async () => {
    const { dependencies, ports } = start(undefined, { url: '', secret: undefined });
    const cloudFormation = startScriptedSetup({ 'PUT /answer': [answer(200)] });
    const event = {
      RequestType: 'Create',
      ResponseURL: `${cloudFormation.server.url}/answer`,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Registration',
    };
    const { fetch } = cloudFormation.ports;
    await handle(event, { ...ports, fetch, connect: () => dependencies.service });
    expect(JSON.parse(cloudFormation.server.requests[0]?.body ?? '')).toMatchObject({
      Status: 'SUCCESS',
      Data: { RegisteredUrl: expect.stringMatching(/^not registered yet: .*webhook store-secret/) },
    });
  });

  it.each([
    ['another URL', { url: elsewhere, secret: undefined }],
    ['no URL', { url: '', secret: undefined }],
    ['wrong settings', { url: webhookUrl, secret: undefined, hasWrongSettings: true }],
  ] as const)('reconcile repairs %s', async (_, webhook) => {
    const { dependencies, calls, state } = start(stored, webhook);
    state.known = { desiredState: 'registered' };
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'ok', value: { state: 'registered' } });
    expect(calls).toEqual(['set']);
  });

  it('reconcile never rotates, however old the secret is', async () => {
    const { dependencies, calls, store, state } = start(stored, { url: webhookUrl, secret: undefined });
    state.known = { desiredState: 'registered' };
    expect(await reconcile({ ...dependencies, rotateAfterMs: hour })).toMatchObject({ kind: 'ok' });
    expect([calls, store.stored]).toEqual([[], []]);
  });

  it('rotate says what to do instead, and marks nothing', async () => {
    const { dependencies, store } = start(stored, { url: webhookUrl, secret: undefined });
    expect(await rotate(dependencies, { force: true, overlap: true })).toEqual({
      kind: 'error',
      error: { kind: 'not-sent', message: 'set webhook: promote the token' },
    });
    expect(store.stored).toEqual([]);
  });

  it('fails if the service keeps a wrong setting', async () => {
    const wrong = { url: webhookUrl, secret: undefined, hasWrongSettings: true } as const;
    const { dependencies } = start(stored, wrong);
    const service = { ...dependencies.service, set: async () => ok(wrong) };
    expect(await register({ ...dependencies, service })).toMatchObject({
      error: { kind: 'unexpected-answer', message: expect.stringContaining('other settings') },
    });
  });

  it.each([
    ['its URL', { url: webhookUrl, secret: undefined }],
    ['one of two URLs', { url: '', secret: undefined, hasWrongSettings: true }],
  ] as const)(
    'a deactivation fails, also at the next reconcile, while the service keeps %s',
    async (_, kept) => {
      const { dependencies, state } = start(stored, kept);
      const service = { ...dependencies.service, deactivate: async () => ok(kept) };
      const failure = { kind: 'error', error: { kind: 'unexpected-answer' } };
      expect(await deactivate({ ...dependencies, service })).toMatchObject(failure);
      expect(await reconcile({ ...dependencies, service })).toMatchObject(failure);
      expect(state.known.lastReconcile?.failure).toBe('unexpected-answer');
    },
  );

  it('a changed setting is drift, which reconcile reports or repairs', async () => {
    const wrong = { url: webhookUrl, secret: undefined, hasWrongSettings: true } as const;
    const { dependencies, calls, state, bus } = start(stored, wrong);
    state.known = { desiredState: 'registered', registeredAt: '2026-01-01T00:00:00.000Z' };
    expect(await reconcile({ ...dependencies, onDrift: 'report' })).toMatchObject({
      value: { drift: { kinds: ['settings-changed'] } },
    });
    expect([calls, bus.published.map(({ detail }) => detail)]).toEqual([
      [],
      [expect.objectContaining({ kind: 'settings-changed', isRepaired: false })],
    ]);
    expect(await reconcile(dependencies)).toMatchObject({ value: { drift: null } });
    expect(calls).toEqual(['set']);
  });

  it.each(['repair', 'report'] as const)(
    'with onDrift %s, waiting for the first secret is neither drift nor a failed reconcile',
    async (onDrift) => {
      const { dependencies, ports, log } = start(undefined, { url: '', secret: undefined });
      const unconnected = { ...ports, onDrift, connect: () => dependencies.service };
      await runAction({ action: 'register' }, unconnected);
      await runAction({ action: 'reconcile' }, unconnected);
      expect(log.counts.get('webhookDrifted') ?? 0).toBe(0);
      expect(log.counts.get('reconcileFailed') ?? 0).toBe(0);
    },
  );

  it('deactivate removes the URL, and status reports it', async () => {
    const { dependencies, calls } = start(stored, { url: webhookUrl, secret: undefined });
    expect(await deactivate(dependencies)).toMatchObject({ value: { state: 'deactivated' } });
    expect(await status(dependencies)).toMatchObject({ value: { state: 'deactivated', registeredUrl: '' } });
    expect(calls).toEqual(['deactivate']);
  });
});
