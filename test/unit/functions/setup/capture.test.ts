import { describe, expect, it } from 'vitest';
import { capture } from '../../../../functions/setup/capture.ts';
import { takeSignals } from '../../../../functions/setup/signals.ts';
import { type SecretDocument, withMark } from '../../../../functions/webhook/secret-document.ts';
import { WebhookSecretError } from '../../../../functions/webhook/webhook-secret-store.ts';
import { recorder } from '../../../../tools/support/recorder.ts';
import { createMemoryStore } from '../../../support/fakes/webhook-secret-store.ts';
import { createMemoryState } from '../../../support/fakes/webhook-state.ts';
import { createTestPorts } from '../sms-service/test-ports.ts';

const hour = 3_600_000;
const noon = '2026-01-15T12:00:00.000Z';
const one = '2026-01-15T13:00:00.000Z';
const setting = '2026-01-16T12:00:00Z';
const registered: SecretDocument = {
  version: 1,
  current: { secret: 'whsec_MA==', since: '2026-01-01T00:00:00.000Z' },
};
const mark = { since: noon, by: 'a test', overlapMs: 0 };

function start({ isRegistered = true, captureSetting = '' } = {}) {
  const { ports, advance } = createTestPorts();
  const store = createMemoryStore(isRegistered ? registered : undefined);
  const state = createMemoryState();
  const log = recorder();
  const { clock, sleep } = ports;
  const world = { store, state, captureSetting, clock, sleep, log: log.log };
  const ask = (forMs?: number) =>
    capture({ action: 'capture', ...(forMs === undefined ? {} : { forMs }) }, world);
  return {
    store,
    state,
    log,
    world,
    advance,
    ask,
    count: (captured: number, leftOut = 0) =>
      takeSignals([{ mismatches: 0, isBurst: false, isRotating: false, captured, leftOut }], world),
  };
}

const on = { until: one, decidedBy: 'command', captured: 0, leftOut: 0 };

describe('the capture action', () => {
  it('starts a capture in the document that ingest reads, and ends it', async () => {
    const { ask, store, advance, log } = start();
    expect(await ask()).toEqual({ capture: null, setting: null });
    expect(await ask(hour)).toEqual({ capture: on, setting: null });
    expect(store.document).toEqual({ ...registered, capture: { until: one, setting: '' } });
    advance(60_000);
    expect(await ask()).toEqual({ capture: on, setting: null });
    expect(await ask(0)).toEqual({ capture: null, setting: null });
    expect(store.document?.capture).toEqual({ until: '2026-01-15T12:01:00.000Z', setting: '' });
    expect(log.lines).toEqual([
      { name: 'CAPTURE_DECIDED', fields: { isOn: true, until: one } },
      { name: 'CAPTURE_DECIDED', fields: { isOn: false, until: '2026-01-15T12:01:00.000Z' } },
    ]);
  });

  it('reports no capture once its time has passed', async () => {
    const { ask, advance } = start();
    await ask(hour);
    advance(hour - 1);
    expect(await ask()).toMatchObject({ capture: { until: one } });
    advance(1);
    expect(await ask()).toEqual({ capture: null, setting: null });
  });

  it('reports and ends the capture of the setting, and stores no version without a change', async () => {
    const { ask, store } = start({ captureSetting: setting });
    expect(await ask()).toEqual({ capture: { ...on, until: setting, decidedBy: 'setting' }, setting });
    expect(await ask(0)).toEqual({ capture: null, setting });
    expect(await ask(0)).toEqual({ capture: null, setting });
    expect(store.stored).toEqual([{ ...registered, capture: { until: noon, setting } }]);
  });

  it('reports before the first registration, and accepts no decision until then', async () => {
    const { ask, store } = start({ isRegistered: false, captureSetting: setting });
    expect(await ask()).toMatchObject({ capture: { until: setting } });
    for (const forMs of [hour, 0])
      expect(await ask(forMs)).toMatchObject({
        error: { kind: 'not-registered', message: expect.stringContaining('sms:captureUntil') },
      });
    expect(store.stored).toEqual([]);
  });

  it('overwrites nothing that another run has stored meanwhile', async () => {
    const { ask, store } = start();
    store.beforeSwap = async (number) => {
      if (number === 1) store.put(withMark(registered, mark));
    };
    expect(await ask(hour)).toMatchObject({ capture: { decidedBy: 'command' } });
    expect(store.document).toMatchObject({ rotating: mark, current: registered.current });
  });

  it('fails if other runs keep storing', async () => {
    const { ask, store } = start();
    store.beforeSwap = async () => store.put(registered);
    expect(await ask(hour)).toMatchObject({ error: { kind: 'conflict' } });
    expect(store.stored).toEqual([]);
  });

  it.each([
    [new WebhookSecretError('GetSecretValue of x: AccessDenied'), 'secret-store', 'GetSecretValue of x'],
    [Object.assign(new Error('whsec_detail'), { name: 'TimeoutError' }), 'internal', 'TimeoutError'],
    ['whsec_detail', 'internal', 'unknown'],
  ])('says that it failed, and no secret: %s', async (error, kind, message) => {
    const { world } = start();
    const read = () => Promise.reject(error);
    const answer = await capture({ action: 'capture' }, { ...world, store: { ...world.store, read } });
    expect(answer).toEqual({ error: { kind, message: expect.stringContaining(message) } });
    expect(JSON.stringify(answer)).not.toContain('whsec');
  });
});

describe('the count of captured requests', () => {
  it('is kept and shown for each capture', async () => {
    const { ask, count, advance } = start();
    await ask(hour);
    await count(3);
    await count(4, 2);
    expect(await ask()).toMatchObject({ capture: { captured: 7, leftOut: 2 } });
    await ask(0);
    await count(5);
    advance(1_000);
    expect(await ask(hour)).toMatchObject({ capture: { captured: 0, leftOut: 0 } });
  });
});
