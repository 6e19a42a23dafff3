import { describe, expect, it } from 'vitest';
import { portsUntil } from '../../../../../functions/base/http-client.ts';
import { err } from '../../../../../functions/base/sms-service/request.ts';
import type { SecretDocument } from '../../../../../functions/registration/secret/secret-document.ts';
import { createAccountWebhook } from '../../../../../functions/registration/services/account-webhook.ts';
import { runAction } from '../../../../../functions/registration/setup/handle.ts';
import type { WebhookState } from '../../../../../functions/registration/webhook-state-store.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import {
  apiKey,
  documentWith,
  oldSecret,
  read,
  scriptedWebhook,
  set,
  startScriptedSetup,
  startSetup,
} from './doubles/setup-under-test.ts';

const run = (
  action: 'status' | 'register' | 'deactivate' | 'reconcile',
  ports: Parameters<typeof runAction>[1],
) => runAction({ action }, ports);

describe('runAction', () => {
  describe('without an API key', () => {
    const message = 'Create it: ...';
    const error = { kind: 'api-key-missing', message } as const;
    const lacking = async () => err(error);
    const mark = { since: '2026-01-15T11:59:00.000Z', by: 'a run that died', overlapMs: 0 };
    const drift = { kinds: ['url-changed'], since: '2026-01-15T11:00:00.000Z' } as const;

    async function start(known: WebhookState, document = documentWith('whsec_b2xkLXNlY3JldC1vZi1hLXRlc3Q=')) {
      const setup = startScriptedSetup({}, document);
      setup.state.known = known;
      return { ...setup, ports: { ...setup.ports, readApiKey: lacking } };
    }

    it('status reports the stored facts', async () => {
      const { ports, log, server } = await start({ desiredState: 'registered', drift });
      expect(await run('status', ports)).toMatchObject({
        kind: 'ok',
        value: {
          state: 'unknown',
          serviceFailure: message,
          desiredState: 'registered',
          secret: { stored: true, matchesService: null },
          drift,
        },
      });
      expect([log.lines, server.requests]).toEqual([[], []]);
    });

    it.each<[string, WebhookState, SecretDocument]>([
      [
        'the webhook is desiredState',
        { desiredState: 'registered', drift },
        documentWith('whsec_b2xkLXNlY3JldC1vZi1hLXRlc3Q='),
      ],
      [
        'a mark stands after a deactivation',
        { desiredState: 'deactivated', drift },
        { ...documentWith('whsec_b2xkLXNlY3JldC1vZi1hLXRlc3Q='), rotating: mark },
      ],
    ])('reconcile fails if %s, and what had drifted remains drifted', async (_, known, document) => {
      const { ports, state, log } = await start(known, document);
      expect(await run('reconcile', ports)).toEqual({ kind: 'error', error });
      const lastReconcile = { at: '2026-01-15T12:00:00.000Z', failure: 'api-key-missing' };
      expect(state.known).toEqual({ ...known, lastReconcile });
      expect(log.counts.get('reconcileFailed')).toBe(1);
    });

    it('reconcile has nothing to do after a deactivation: the key may be gone for good', async () => {
      const known = { desiredState: 'deactivated' } as const;
      const { ports, state, log } = await start(known);
      expect(await run('reconcile', ports)).toMatchObject({ kind: 'ok', value: { serviceFailure: message } });
      expect([state.known, log.lines, [...log.counts]]).toEqual([known, [], []]);
    });

    it('register fails, and the schedule registers as soon as there is a key', async () => {
      const { ports, state } = await start({});
      expect(await run('register', ports)).toEqual({ kind: 'error', error });
      expect(state.known.desiredState).toBe('registered');
    });

    it('deactivate fails, and no later run registers again', async () => {
      const { ports, state } = await start({ desiredState: 'registered' });
      expect(await run('deactivate', ports)).toEqual({ kind: 'error', error });
      expect(state.known.desiredState).toBe('deactivated');
    });
  });

  it.each([
    [new TypeError(`about ${apiKey}`), 'TypeError'],
    [`about ${apiKey}`, 'unknown'],
  ])('hides the message of an error of another library', async (error, name) => {
    const { ports } = startSetup();
    const connect = () => {
      throw error;
    };
    expect(await run('status', { ...ports, connect })).toEqual({
      kind: 'error',
      error: { kind: 'internal', message: `The status action failed: ${name}` },
    });
  });

  it.each([
    ['reconcile', 1],
    ['register', undefined],
  ] as const)('counts that %s failed: %s', async (action, times) => {
    const { ports, state, log } = startScriptedSetup({ [read]: [answer(403)] });
    state.known = { desiredState: 'registered' };
    expect(await run(action, ports)).toMatchObject({ kind: 'error', error: { kind: 'refused' } });
    expect(log.counts.get('reconcileFailed')).toBe(times);
    expect(log.lines).toEqual([{ name: 'SETUP_FAILED', fields: { action, kind: 'refused' } }]);
  });

  it('ends while there is time to answer, even if a call hangs', async () => {
    const { ports, log, timeouts } = startScriptedSetup({ [read]: [answer(200, {})] });
    const limit = new AbortController();
    const timeoutSignal = (ms: number) => {
      timeouts.push(ms);
      return limit.signal;
    };
    const hanging = () => {
      limit.abort();
      return new Promise<undefined>(() => undefined);
    };
    const outcome = await run('register', {
      ...ports,
      timeoutSignal,
      store: { ...ports.store, read: hanging },
    });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { kind: 'out-of-time', message: expect.stringContaining('Run it again') },
    });
    expect(timeouts).toEqual([45_000 + 11_250]);
    expect(log.lines).toEqual([
      { name: 'SETUP_FAILED', fields: { action: 'register', kind: 'out-of-time' } },
    ]);
  });

  it('sends nothing after the answer that its time is over, even if the process continues', async () => {
    const webhook = scriptedWebhook();
    const { ports, state, server } = startScriptedSetup(
      { [read]: [webhook.show], [set]: [webhook.rotates()] },
      documentWith(oldSecret),
    );
    state.known = { desiredState: 'registered' };
    const limit = new AbortController();
    const thawed = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const rotation = runAction(
      { action: 'rotate', force: false, overlap: true },
      {
        ...ports,
        timeoutSignal: () => limit.signal,
        connect: (apiKey, ended) => {
          const client = ports.connect(apiKey);
          const limited = createAccountWebhook({
            baseUrl: server.url,
            token: shippedContract.service.token,
            apiKey,
            ports: portsUntil(ended, ports),
            deadline: ports.deadline,
          });
          return {
            ...client,
            // Frozen on the way to the service, after the deadline was looked at.
            rotate: async (url) => {
              limit.abort();
              await thawed.promise;
              const rotated = await limited.rotate(url);
              over.resolve();
              return rotated;
            },
          };
        },
      },
    );
    expect(await rotation).toMatchObject({ error: { kind: 'out-of-time' } });
    thawed.resolve();
    await over.promise;
    expect(server.count(set)).toBe(0);
  });
});
