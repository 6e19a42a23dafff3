import { describe, expect, it } from 'vitest';
import { WebhookSecretError } from '../../../functions/adapters/webhook-secret.ts';
import { rotationLimitMs } from '../../../functions/core/webhook/rotation-timing.ts';
import { deactivate } from '../../../functions/setup/deactivate.ts';
import { reconcile } from '../../../functions/setup/reconcile.ts';
import { register } from '../../../functions/setup/register.ts';
import { answer } from '../adapters/sms-service/scripted-server.ts';
import { newSecret, oldSecret, scriptedWebhook } from './scripted-webhook.ts';
import {
  documentWith,
  hour,
  read,
  set,
  startScriptedSetup,
  startSetup,
  webhookUrl,
} from './setup-under-test.ts';

const day = 24 * hour;
const mark = { since: '2026-01-15T11:59:00.000Z', by: 'a run that died', overlapMs: hour };

describe('while no registration is wanted', () => {
  const elsewhere = answer(200, { url: 'https://other.example/hook', secret: newSecret });

  it('changes nothing before the first registration, whatever it finds', async () => {
    const { dependencies, state, store, journal, log } = await startScriptedSetup(
      { [read]: [elsewhere] },
      { ...documentWith(oldSecret), rotating: mark },
    );
    const { known } = state;
    expect(await reconcile(dependencies)).toMatchObject({ ok: true, report: { state: 'elsewhere' } });
    expect([journal, store.stored, log.lines]).toEqual([[read], [], []]);
    expect(state.known).toBe(known);
  });

  it('leaves alone after a deactivation what others change', async () => {
    const { dependencies, state, store, journal, log } = await startScriptedSetup(
      { [read]: [elsewhere] },
      documentWith(oldSecret),
    );
    state.known = { wanted: 'deactivated' };
    expect(await reconcile(dependencies)).toMatchObject({ ok: true, report: { drift: null } });
    expect([journal, store.stored, log.lines, [...log.counts]]).toEqual([[read], [], [], []]);
  });

  it('deactivates again what a rotation that died has made ours after the deactivation', async () => {
    const { dependencies, state, service } = await startSetup();
    await service.setWebhook({ url: webhookUrl });
    state.known = { wanted: 'deactivated' };
    expect(await reconcile({ ...dependencies, onDrift: 'report' })).toMatchObject({ ok: true });
    expect(await service.readWebhook()).toMatchObject({ value: { url: webhookUrl } });
    expect(await reconcile(dependencies)).toMatchObject({ ok: true });
    expect(await service.readWebhook()).toMatchObject({ value: { url: '' } });
  });

  it('ends after a deactivation what a rotation left: requests may be parked still', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, state, store, advance } = await startScriptedSetup(
      { [read]: [answer(200, { url: '', secret: newSecret })], [set]: [webhook.tell] },
      { ...documentWith(oldSecret), rotating: mark },
    );
    state.known = { wanted: 'deactivated' };
    await reconcile(dependencies);
    expect(store.document).toMatchObject({ current: { secret: newSecret }, rotating: mark });
    advance(rotationLimitMs);
    expect(await reconcile(dependencies)).toMatchObject({ report: { state: 'deactivated' } });
    expect(store.document).toMatchObject({ current: { secret: newSecret }, previous: { secret: oldSecret } });
    expect(store.document?.rotating).toBeUndefined();
  });

  it('notes after a deactivation that it could not look', async () => {
    const { dependencies, state } = await startScriptedSetup({ [read]: [answer(403)] });
    state.known = { wanted: 'deactivated' };
    expect(await reconcile(dependencies)).toMatchObject({ ok: false, error: { kind: 'refused' } });
    expect(state.known).toEqual({
      wanted: 'deactivated',
      lastReconcile: { at: '2026-01-15T12:00:00.000Z', failure: 'refused' },
    });
  });

  it('does not bring back a webhook that was deactivated on purpose', async () => {
    const { dependencies, service } = await startSetup();
    await register(dependencies);
    await deactivate(dependencies);
    expect(await reconcile(dependencies)).toMatchObject({ report: { state: 'deactivated' } });
    expect(await service.readWebhook()).toMatchObject({ value: { url: '' } });
  });
});

describe('while all is well', () => {
  it('stores nothing and asks once, and notes that it has looked', async () => {
    const { dependencies, state, journal, log, advance } = await startSetup();
    await register(dependencies);
    journal.length = 0;
    log.lines.length = 0;
    advance(5 * 60_000);
    expect(await reconcile(dependencies)).toMatchObject({
      report: {
        drift: null,
        lastReconcile: { at: '2026-01-15T12:05:00.000Z', failure: null },
      },
    });
    expect([journal, log.lines, [...log.counts]]).toEqual([[read], [], []]);
    expect(state.known.confirmedAt).toBe('2026-01-15T12:05:00.000Z');
  });

  it("leaves another run's fresh mark alone", async () => {
    const marked = { ...documentWith(oldSecret), rotating: mark };
    const { dependencies, state, store } = await startScriptedSetup(
      { [read]: [answer(200, { url: webhookUrl, secret: oldSecret })] },
      marked,
    );
    state.known = { wanted: 'registered' };
    expect(await reconcile(dependencies)).toMatchObject({ ok: true });
    expect(store.document).toBe(marked);
  });
});

describe('a failure', () => {
  it('is noted with its kind, and forgotten once all is well', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, state } = await startScriptedSetup(
      { [read]: [answer(403), webhook.tell] },
      documentWith(oldSecret),
    );
    state.known = { wanted: 'registered' };
    expect(await reconcile(dependencies)).toMatchObject({ ok: false, error: { kind: 'refused' } });
    expect(state.known).toEqual({
      wanted: 'registered',
      lastReconcile: { at: '2026-01-15T12:00:00.000Z', failure: 'refused' },
    });
    expect(await reconcile(dependencies)).toMatchObject({
      report: { lastReconcile: { at: '2026-01-15T12:00:00.000Z', failure: null } },
    });
  });

  it('to look confirms nothing', async () => {
    const { dependencies, state } = await startScriptedSetup({
      [read]: [answer(200, { url: webhookUrl, secret: 'whsec_***' })],
    });
    state.known = { wanted: 'registered', confirmedAt: '2026-01-15T11:00:00.000Z' };
    expect(await reconcile(dependencies)).toMatchObject({ error: { kind: 'unusable-secret' } });
    expect(state.known.confirmedAt).toBe('2026-01-15T11:00:00.000Z');
  });

  it('to store the new secret changes nothing, and the next run does it', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, state, store } = await startScriptedSetup(
      { [read]: [webhook.tell] },
      { ...documentWith(oldSecret), rotating: mark },
    );
    state.known = { wanted: 'registered' };
    webhook.webhook.secret = newSecret;
    const replace = () => Promise.reject(new WebhookSecretError('PutSecretValue of x: InternalServiceError'));
    const broken = { ...dependencies, store: { ...dependencies.store, replace } };
    await expect(reconcile(broken)).rejects.toThrow(WebhookSecretError);
    expect(state.known.confirmedAt).toBeUndefined();
    await reconcile(dependencies);
    expect(store.document).toMatchObject({ current: { secret: newSecret }, rotating: mark });
  });
});

describe('a secret that reaches its age', () => {
  async function startAged(rotateAfterMs: number | undefined, onDrift: 'repair' | 'report' = 'repair') {
    const setup = await startSetup();
    await register(setup.dependencies);
    setup.journal.length = 0;
    const at = (ms: number) => {
      setup.advance(ms);
      const deadline = setup.ports.clock() + 45_000;
      return reconcile({ ...setup.dependencies, rotateAfterMs, onDrift, deadline, requestId: 'request-2' });
    };
    return { ...setup, at, secret: setup.store.document?.current.secret ?? '' };
  }

  it('is rotated by the schedule, to the millisecond, once', async () => {
    const { at, store, journal, logged } = await startAged(30 * day);
    await at(30 * day - 1);
    expect([journal, store.stored.length]).toEqual([[read], 1]);
    expect(await at(1)).toMatchObject({
      report: { secret: { since: '2026-02-14T12:00:03.000Z', matchesService: true, rotating: null } },
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
    expect(await at(24 * hour - 1)).toMatchObject({ error: { kind: 'overlap' } });
    expect(state.known.lastReconcile?.failure).toBe('overlap');
    expect(journal).not.toContain(set);
  });

  it('stays as it is where no age is set', async () => {
    const { at, journal } = await startAged(undefined);
    await at(4_000 * day);
    expect(journal).toEqual([read]);
  });

  it('is rotated as well where changes made elsewhere are only reported, but not while there are any', async () => {
    const { at, changeElsewhere, journal, logged } = await startAged(30 * day, 'report');
    await changeElsewhere({ url: 'https://other.example/hook' });
    await at(30 * day);
    expect(journal).toEqual([read]);
    await changeElsewhere({ url: webhookUrl });
    await at(5 * 60_000);
    expect(logged()).toEqual(['WEBHOOK_REGISTERED', 'WEBHOOK_DRIFTED', 'SECRET_ROTATED']);
  });

  it('and cannot be rotated is a failure that is noted', async () => {
    const { at, state, sandbox } = await startAged(30 * day);
    const faults = { refuse: { status: 422, calls: 1 } };
    await fetch(`${sandbox.url}/sandbox/faults`, { method: 'PUT', body: JSON.stringify(faults) });
    expect(await at(30 * day)).toMatchObject({ error: { kind: 'validation' } });
    expect(state.known.lastReconcile).toEqual({ at: '2026-02-14T12:00:00.000Z', failure: 'validation' });
    expect(await at(5 * 60_000)).toMatchObject({ report: { lastReconcile: { failure: null } } });
  });
});
