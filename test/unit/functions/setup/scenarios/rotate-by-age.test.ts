import { describe, expect, it } from 'vitest';
import { deadlineAt } from '../../../../../functions/runtime/basics.ts';
import { register } from '../../../../../functions/setup/actions.ts';
import { reconcile } from '../../../../../functions/setup/reconcile.ts';
import { hour, oldSecret, read, set, startSetup, webhookUrl } from '../doubles/setup-under-test.ts';

const day = 24 * hour;

describe('a secret that reaches its age', () => {
  async function startAged(rotateAfterMs: number | undefined, onDrift: 'repair' | 'report' = 'repair') {
    const setup = startSetup();
    await register(setup.dependencies);
    setup.journal.length = 0;
    const at = (ms: number) => {
      setup.advance(ms);
      const deadline = deadlineAt(setup.ports.clock() + 45_000, setup.ports.clock);
      return reconcile({ ...setup.dependencies, rotateAfterMs, onDrift, deadline, requestId: 'request-2' });
    };
    return { ...setup, at, secret: setup.store.document?.current.secret ?? '' };
  }

  it('is rotated by the schedule, to the millisecond, once', async () => {
    const { at, store, journal, logged } = await startAged(30 * day);
    await at(30 * day - 1);
    expect([journal, store.stored.length]).toEqual([[read], 1]);
    expect(await at(1)).toMatchObject({
      value: { secret: { since: '2026-02-14T12:00:03.000Z', matchesService: true, rotating: null } },
    });
    expect(store.stored[1]?.rotating).toEqual({
      since: '2026-02-14T12:00:00.000Z',
      by: 'the schedule (request-2)',
      overlapMs: day,
    });
    await at(5 * 60_000);
    expect(journal).toEqual([
      ...[read, read, read, 'store mark', 'pause 3000', read, set, 'store secrets'],
      read,
    ]);
    expect(logged()).toEqual(['WEBHOOK_REGISTERED', 'SECRET_ROTATED']);
  });

  it('is not rotated while the secret before it is accepted, whatever its age', async () => {
    const { at, store, state, journal, secret } = await startAged(1_000);
    const previous = { secret: oldSecret, validUntil: '2026-01-16T12:00:00.000Z' };
    store.put({ version: 1, current: { secret, since: '2026-01-15T12:00:00.000Z' }, previous });
    expect(await at(24 * hour - 1)).toMatchObject({ kind: 'ok' });
    expect(state.known.lastReconcile).toEqual({ at: '2026-01-16T11:59:59.999Z' });
    expect(journal).not.toContain(set);
    await at(6 * hour);
    expect(journal).toContain(set);
  });

  it('is left to another run that rotates it already, without a failure', async () => {
    const { at, store, state, journal, secret } = await startAged(30 * day);
    const rotating = { since: '2026-02-14T11:59:00.000Z', by: 'another run', overlapMs: day };
    const marked = { version: 1, current: { secret, since: '2026-01-15T12:00:00.000Z' }, rotating } as const;
    store.put(marked);
    expect(await at(30 * day)).toMatchObject({
      kind: 'ok',
      value: { secret: { rotating: { by: 'another run' } } },
    });
    expect(state.known.lastReconcile).toEqual({ at: '2026-02-14T12:00:00.000Z' });
    expect([journal.includes(set), store.document]).toEqual([false, marked]);
  });

  it('is rotated with sms:webhookDrift=report too, except while there is drift', async () => {
    const { at, changeElsewhere, journal, logged } = await startAged(30 * day, 'report');
    changeElsewhere({ url: 'https://other.example/hook' });
    await at(30 * day);
    expect(journal).toEqual([read]);
    changeElsewhere({ url: webhookUrl });
    await at(5 * 60_000);
    expect(logged()).toEqual(['WEBHOOK_REGISTERED', 'WEBHOOK_DRIFTED', 'SECRET_ROTATED']);
  });

  it('is rotated again only six hours after a failure: each attempt leaves versions of the secret', async () => {
    const { at, refuseOnce, journal } = await startAged(30 * day);
    refuseOnce();
    await at(30 * day);
    const tries = () => journal.filter((entry) => entry === set).length;
    // The first try waited three seconds for its mark.
    await at(6 * hour - 3_001);
    expect(tries()).toBe(1);
    await at(1);
    expect(tries()).toBe(2);
  });
});
