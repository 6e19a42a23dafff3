import { describe, expect, it } from 'vitest';
import { WebhookSecretError } from '../../../functions/adapters/webhook-secret.ts';
import { isAction, runAction } from '../../../functions/setup/run-action.ts';
import { answer } from '../adapters/sms-service/scripted-server.ts';
import { apiKey, startScriptedSetup, startSetup } from './setup-under-test.ts';

const minute = 60_000;

describe('isAction', () => {
  it.each(['status', 'register', 'deactivate'])('%s is one', (name) => {
    expect(isAction(name)).toBe(true);
  });

  it.each(['toString', 'Status', '', 7, null, undefined])('%s is none', (name) => {
    expect(isAction(name)).toBe(false);
  });
});

describe('runAction', () => {
  it('runs the action with the API key it was given', async () => {
    const { ports } = await startSetup();
    expect(await runAction('register', ports, minute)).toMatchObject({
      ok: true,
      report: { state: 'registered' },
    });
    expect(await runAction('deactivate', ports, minute)).toMatchObject({
      ok: true,
      report: { state: 'deactivated' },
    });
    expect(await runAction('status', ports, minute)).toMatchObject({
      ok: true,
      report: { state: 'deactivated' },
    });
  });

  it('asks the service nothing without an API key', async () => {
    const { ports, log, server } = await startScriptedSetup({});
    const readApiKey = async () =>
      ({ ok: false, kind: 'api-key-missing', message: 'Create it: ...' }) as const;
    expect(await runAction('register', { ...ports, readApiKey }, minute)).toEqual({
      ok: false,
      error: { kind: 'api-key-missing', message: 'Create it: ...' },
    });
    expect(log.lines).toEqual([
      { name: 'SETUP_FAILED', fields: { action: 'register', kind: 'api-key-missing' } },
    ]);
    expect(server.requests).toEqual([]);
  });

  it('says that the secret cannot be read, before the service is asked', async () => {
    const { ports, server } = await startScriptedSetup({});
    const read = () => Promise.reject(new WebhookSecretError('GetSecretValue of x: AccessDeniedException'));
    expect(await runAction('register', { ...ports, store: { ...ports.store, read } }, minute)).toEqual({
      ok: false,
      error: { kind: 'secret-store', message: 'GetSecretValue of x: AccessDeniedException' },
    });
    expect(server.requests).toEqual([]);
  });

  it.each([
    [new TypeError(`about ${apiKey}`), 'TypeError'],
    [`about ${apiKey}`, 'unknown error'],
  ])('keeps the message of an error that is not ours to itself', async (error, name) => {
    const { ports } = await startSetup();
    const connect = () => {
      throw error;
    };
    expect(await runAction('status', { ...ports, connect }, minute)).toEqual({
      ok: false,
      error: { kind: 'internal', message: `The status action failed: ${name}` },
    });
  });

  it('leaves the calls three quarters of the time', async () => {
    const { ports } = await startSetup();
    const deadlines: number[] = [];
    const connect: typeof ports.connect = (key, deadline) => {
      deadlines.push((deadline ?? 0) - ports.clock());
      return ports.connect(key, deadline);
    };
    await runAction('status', { ...ports, connect }, minute);
    expect(deadlines).toEqual([45_000]);
  });

  it('ends while there is time to tell somebody, whatever hangs', async () => {
    const { ports, log, timeouts } = await startScriptedSetup({
      'GET /v1/account/webhook': [answer(200, {})],
    });
    const limit = new AbortController();
    const timeoutSignal = (ms: number) => {
      timeouts.push(ms);
      return limit.signal;
    };
    const read = () => {
      limit.abort();
      return new Promise<undefined>(() => undefined);
    };
    const outcome = await runAction(
      'register',
      { ...ports, timeoutSignal, store: { ...ports.store, read } },
      minute,
    );
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'out-of-time' } });
    expect(timeouts).toEqual([52_500]);
    expect(log.lines).toEqual([
      { name: 'SETUP_FAILED', fields: { action: 'register', kind: 'out-of-time' } },
    ]);
  });
});
