import { describe, expect, it } from 'vitest';
import { handle } from '../../../../../functions/registration/setup/handle.ts';
import { encodeSignal } from '../../../../../functions/registration/setup/mismatch-signal.ts';
import { requestHint } from '../../../../../functions/registration/setup/request.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import { read, reportOf, startScriptedSetup, startSetup, webhookUrl } from './doubles/setup-under-test.ts';

describe('direct invocation', () => {
  it('answers with the report', async () => {
    const { ports } = startSetup();
    expect(await handle({ action: 'register' }, ports)).toEqual(reportOf());
  });

  it.each([
    [undefined],
    [{ action: 'rotate', forced: true }],
    [{ Records: [{ eventSource: 'aws:s3', body: '' }] }],
  ])('lists the actions it understands instead of %j', async (event) => {
    const { ports, server, store } = startScriptedSetup({});
    expect(await handle(event, ports)).toEqual({
      error: { kind: 'unknown-action', message: requestHint },
    });
    expect([server.requests, store.stored]).toEqual([[], []]);
  });
});

describe('signals', () => {
  const batch = (...bodies: string[]) => ({
    Records: bodies.map((body) => ({ eventSource: 'aws:sqs', body })),
  });
  const burst = encodeSignal({ mismatches: 5, isBurst: true, isRotating: false });
  const calm = encodeSignal({ mismatches: 2, isBurst: false, isRotating: false });

  it('of a burst make setup store the secret that was rotated elsewhere', async () => {
    const { ports, changeElsewhere, store, state } = startSetup();
    await handle({ action: 'register' }, ports);
    const before = store.document?.current.secret;
    changeElsewhere({ rotate: true });
    expect(await handle(batch(calm, burst), ports)).toBeUndefined();
    expect(store.document).toMatchObject({ previous: { secret: before } });
    expect(state.mismatches).toBe(7);
  });

  it.each([
    ['calm ones while requests are verified', batch(calm)],
    ['what is none', batch('{"action":"rotate"}')],
  ])('are only recorded: %s', async (_, event) => {
    const { ports, server, state } = startScriptedSetup({});
    state.known = { desiredState: 'registered', lastVerifiedAt: '2026-01-15T11:59:00.000Z' };
    expect(await handle(event, ports)).toBeUndefined();
    expect(server.requests).toEqual([]);
  });

  it('are not retried if the service cannot be read: the schedule reconciles', async () => {
    const { ports, state, log } = startScriptedSetup({ [read]: [answer(403)] });
    state.known = { desiredState: 'registered' };
    expect(await handle(batch(burst), ports)).toBeUndefined();
    expect(log.counts.get('reconcileFailed')).toBe(1);
  });
});

describe('custom resource', () => {
  const request = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Registration' };

  it('registers, answers at ResponseURL, and returns nothing', async () => {
    const cloudFormation = startScriptedSetup({ 'PUT /answer': [answer(200)] });
    const ports = { ...startSetup().ports, fetch: cloudFormation.ports.fetch };
    const event = { ...request, RequestType: 'Create', ResponseURL: `${cloudFormation.server.url}/answer` };
    expect(await handle(event, ports)).toBeUndefined();
    expect(JSON.parse(cloudFormation.server.requests[0]?.body ?? '')).toMatchObject({
      Status: 'SUCCESS',
      Data: { RegisteredUrl: webhookUrl },
    });
  });
});
