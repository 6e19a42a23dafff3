import { describe, expect, it } from 'vitest';
import { deadlineAt } from '../../../../../../functions/base/basics.ts';
import { acceptedSecrets } from '../../../../../../functions/registration/secret/secret-document.ts';
import { register } from '../../../../../../functions/registration/setup/actions.ts';
import { reconcile } from '../../../../../../functions/registration/setup/reconcile.ts';
import type { Drift } from '../../../../../../functions/registration/webhook-drift.ts';
import { answer } from '../../../base/sms-service/scripted-server.ts';
import {
  documentWith,
  oldSecret,
  read,
  set,
  startScriptedSetup,
  startSetup,
  webhookUrl,
} from '../doubles/setup-under-test.ts';

const elsewhere = 'https://other.example/hook';
const minute = 60_000;

/** A registered webhook, and nothing logged. */
async function start(onDrift: 'repair' | 'report') {
  const setup = startSetup();
  await register(setup.dependencies);
  setup.log.lines.length = 0;
  const { document } = setup.store;
  const run = () => {
    const { dependencies } = setup;
    return reconcile({
      ...dependencies,
      onDrift,
      deadline: deadlineAt(dependencies.clock() + 45_000, dependencies.clock),
    });
  };
  return { ...setup, run, document, secret: document?.current.secret ?? '' };
}

const changes: [string, { url?: string; rotate?: boolean }, Drift[]][] = [
  ['another URL', { url: elsewhere }, ['url-changed']],
  ['a deactivation', { url: '' }, ['deactivated']],
  ['another secret', { rotate: true }, ['secret-rotated']],
  ['another URL and secret', { url: elsewhere, rotate: true }, ['url-changed', 'secret-rotated']],
  ['a deactivation with another secret', { url: '', rotate: true }, ['deactivated', 'secret-rotated']],
];

describe('reconcile with sms:webhookDrift=repair', () => {
  it.each(changes)('%s is', async (_, change, kinds) => {
    const { run, changeElsewhere, service, store, state, log, secret } = await start('repair');
    changeElsewhere(change);
    expect(await run()).toMatchObject({
      kind: 'ok',
      value: { state: 'registered', secret: { matchesService: true }, drift: null },
    });
    const webhookAnswer = await service.read();
    const { document } = store;
    expect(webhookAnswer).toEqual({
      kind: 'ok',
      value: { url: webhookUrl, secret: document?.current.secret },
    });
    // Whatever the service had signed with until it was changed is accepted on.
    expect(document && acceptedSecrets(document, Date.parse('2026-01-15T12:00:00.000Z'))).toContain(secret);
    expect(state.known.drift).toBeUndefined();
    expect(log.lines).toEqual(
      kinds.map((kind) => ({ name: 'WEBHOOK_DRIFTED', fields: { kind, isRepaired: true } })),
    );
    expect([...log.counts]).toEqual([['webhookDrifted', 1]]);

    await run();
    expect([...log.counts]).toEqual([['webhookDrifted', 1]]);
  });

  it('reports drift that it cannot repair once, and keeps showing it', async () => {
    const { dependencies, state, log, store } = startScriptedSetup(
      { [read]: [answer(200, { url: elsewhere, secret: oldSecret })], [set]: [answer(422, 'no')] },
      documentWith(oldSecret),
    );
    const before = { desiredState: 'registered', registeredAt: '2026-01-01T00:00:00.000Z' } as const;
    state.known = before;
    for (let times = 0; times < 2; times++)
      expect(await reconcile(dependencies)).toMatchObject({ kind: 'error', error: { kind: 'validation' } });
    const since = '2026-01-15T12:00:00.000Z';
    expect(state.known).toEqual({
      ...before,
      lastReconcile: { at: since, failure: 'validation' },
      drift: { kinds: ['url-changed'], since },
    });
    expect(log.lines).toEqual([
      { name: 'WEBHOOK_DRIFTED', fields: { kind: 'url-changed', isRepaired: false } },
    ]);
    expect([...log.counts]).toEqual([['webhookDrifted', 2]]);
    expect(store.stored).toEqual([]);
  });

  it('does not report drift that another run has just repaired', async () => {
    const { run, changeElsewhere, store, service, secret, log, state } = await start('repair');
    changeElsewhere({ rotate: true });
    const webhookAnswer = await service.read();
    const since = '2026-01-15T12:00:00.000Z';
    const current = { secret: webhookAnswer.kind === 'ok' ? (webhookAnswer.value.secret ?? '') : '', since };
    store.beforeSwap = async () =>
      store.put({ version: 1, current, previous: { secret, validUntil: '2026-01-16T12:00:00.000Z' } });
    expect(await run()).toMatchObject({
      kind: 'ok',
      value: { secret: { matchesService: true }, drift: null },
    });
    expect([log.lines, [...log.counts], state.known.drift]).toEqual([[], [], undefined]);
  });
});

describe('reconcile with sms:webhookDrift=report', () => {
  it.each(changes)('%s is', async (_, change, kinds) => {
    const { run, changeElsewhere, service, store, document, state, log, journal, advance } =
      await start('report');
    changeElsewhere(change);
    const webhookAnswer = await service.read();
    journal.length = 0;
    advance(minute);
    const since = '2026-01-15T12:01:00.000Z';
    expect(await run()).toMatchObject({ kind: 'ok', value: { drift: { kinds, since } } });
    advance(5 * minute);
    expect(await run()).toMatchObject({ value: { drift: { kinds, since } } });
    expect(journal).toEqual([read, read]);
    expect(await service.read()).toEqual(webhookAnswer);
    expect(store.document).toBe(document);
    expect(state.known.drift).toEqual({ kinds, since });
    expect(log.lines).toEqual(
      kinds.map((kind) => ({ name: 'WEBHOOK_DRIFTED', fields: { kind, isRepaired: false } })),
    );
    expect([...log.counts]).toEqual([['webhookDrifted', 2]]);
  });

  it('does not confirm a secret that it does not store: parked requests wait for an operator', async () => {
    const { run, changeElsewhere, state, advance } = await start('report');
    changeElsewhere({ rotate: true });
    advance(minute);
    await run();
    expect(state.known.confirmed?.at).toBe('2026-01-15T12:00:00.000Z');
  });

  it('clears drift once it is repaired elsewhere, and reports it again if it returns', async () => {
    const { run, changeElsewhere, state, log, advance } = await start('report');
    changeElsewhere({ url: elsewhere });
    await run();
    changeElsewhere({ url: webhookUrl });
    advance(1);
    await run();
    expect(state.known.drift).toBeUndefined();
    changeElsewhere({ url: elsewhere });
    advance(minute);
    await run();
    expect(state.known.drift?.since).toBe('2026-01-15T12:01:00.001Z');
    expect(log.lines).toHaveLength(2);
  });
});
