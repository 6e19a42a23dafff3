import { describe, expect, it } from 'vitest';
import {
  encodeSignal,
  type MismatchSignal,
} from '../../../../../functions/registration/setup/mismatch-signal.ts';
import { parseSignals, takeSignals } from '../../../../../functions/registration/setup/signals.ts';
import { createMemoryStore } from '../../../../support/fakes/webhook-secret-store.ts';
import { createMemoryState } from '../../../../support/fakes/webhook-state.ts';
import { recorder } from '../../../../support/recorder.ts';
import { createTestPorts } from '../../base/sms-service/test-ports.ts';

const signal = (mismatches: number, what: Partial<MismatchSignal> = {}): MismatchSignal => ({
  mismatches,
  isBurst: false,
  isRotating: false,
  ...what,
});
const burst = (mismatches = 1) => signal(mismatches, { isBurst: true });
const rotating = (mismatches = 1) => signal(mismatches, { isRotating: true });
const record = (body: string, eventSource = 'aws:sqs') => ({ messageId: 'm', eventSource, body });

describe('parseSignals', () => {
  it('reads each signal of a batch, and skips other messages', () => {
    const Records = [
      record(encodeSignal(signal(1))),
      record('{"mismatches":1}'),
      record('no JSON'),
      record(encodeSignal(burst(3))),
    ];
    expect(parseSignals({ Records })).toEqual([signal(1), burst(3)]);
  });

  it.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ Records: [] }],
    [{ Records: [record(encodeSignal(signal(1)), 'aws:s3')] }],
    [{ Records: [{ eventSource: 'aws:sqs' }] }],
    [{ action: 'reconcile' }],
    [{ RequestType: 'Create' }],
  ])('finds no batch in %j', (event) => {
    expect(parseSignals(event)).toBeUndefined();
  });
});

/** An instance that has written down nothing yet; requests were verified until now. */
function start() {
  const { ports, advance } = createTestPorts();
  const state = createMemoryState({ lastVerifiedAt: new Date(ports.clock()).toISOString() });
  const log = recorder();
  const store = createMemoryStore();
  const { clock, sleep } = ports;
  const signalPorts = { state, store, clock, sleep, log: log.log };
  const take = (...signals: MismatchSignal[]) => takeSignals(signals, signalPorts);
  return { state, log, signalPorts, take, advance };
}

describe('takeSignals', () => {
  it('counts the mismatches, and asks for no reconcile without a burst', async () => {
    const { take, state, log } = start();
    expect(await take(signal(2), signal(3))).toBe(false);
    expect(state.mismatches).toBe(5);
    expect(log.lines).toEqual([
      { name: 'MISMATCHES_REPORTED', fields: { mismatches: 5, isBurst: false, isRotating: false } },
    ]);
  });

  it('asks for a reconcile at a burst, at most once a minute', async () => {
    const { take, advance, state } = start();
    expect([await take(signal(1), burst(4)), await take(burst())]).toEqual([true, false]);
    advance(59_999);
    expect(await take(burst(10))).toBe(false);
    advance(1);
    expect(await take(burst())).toBe(true);
    expect(state.mismatches).toBe(17);
  });

  it('asks for a reconcile during a rotation, at most once in ten seconds', async () => {
    const { take, advance } = start();
    expect([await take(rotating()), await take(rotating())]).toEqual([true, false]);
    advance(9_999);
    expect(await take(rotating())).toBe(false);
    advance(1);
    expect(await take(rotating())).toBe(true);
  });

  it('limits the reconciles during a rotation apart from those at bursts', async () => {
    const { take } = start();
    expect([await take(burst()), await take(burst(), rotating()), await take(burst())]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('asks at a single mismatch too if no request was verified for 150 s, within the limit for bursts', async () => {
    const { take, advance } = start();
    advance(149_999);
    expect(await take(signal(1))).toBe(false);
    advance(1);
    expect([await take(signal(1)), await take(signal(1)), await take(burst())]).toEqual([true, false, false]);
    advance(60_000);
    expect(await take(signal(1))).toBe(true);
  });

  it('does not ask at a single mismatch if no request was ever verified', async () => {
    const { take, state } = start();
    state.known = {};
    expect(await take(signal(1))).toBe(false);
  });

  it('counts the mismatches before it takes a turn', async () => {
    const { state, signalPorts } = start();
    const addMismatches = () => Promise.reject(new Error('throttled'));
    const ports = { ...signalPorts, state: { ...state, addMismatches } };
    await expect(takeSignals([burst()], ports)).rejects.toThrow('throttled');
    expect(await takeSignals([burst()], { ...ports, state })).toBe(true);
  });
});
