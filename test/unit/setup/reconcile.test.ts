import { describe, expect, it } from 'vitest';
import { WebhookSecretError } from '../../../functions/adapters/webhook-secret.ts';
import { rotationLimitMs } from '../../../functions/core/webhook/rotation-timing.ts';
import type { SecretDocument } from '../../../functions/core/webhook/secret-document.ts';
import { deactivate } from '../../../functions/setup/deactivate.ts';
import { reconcile } from '../../../functions/setup/reconcile.ts';
import { register } from '../../../functions/setup/register.ts';
import { answer, type Step } from '../adapters/sms-service/scripted-server.ts';
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
    expect([new Set(journal), store.stored, log.lines]).toEqual([new Set([read]), [], []]);
    expect(state.known).toBe(known);
  });

  it.each<[string, Step, SecretDocument | undefined, string]>([
    ['no secret is stored', scriptedWebhook().tell, undefined, 'registered'],
    [
      'the service sends nowhere',
      answer(200, { url: '', secret: oldSecret }),
      documentWith(oldSecret),
      'deactivated',
    ],
    ['the service cannot be asked', answer(403), documentWith(oldSecret), 'unknown'],
  ])('takes nothing as wanted where %s', async (_, step, document, found) => {
    const { dependencies, state, journal, store } = await startScriptedSetup({ [read]: [step] }, document);
    expect(await reconcile(dependencies)).toMatchObject({ ok: true, report: { state: found, wanted: null } });
    expect([new Set(journal), store.stored, state.known]).toEqual([new Set([read]), [], {}]);
  });

  it('takes what is registered here and stored as wanted where the state is missing, and goes on', async () => {
    const { dependencies, changeElsewhere, state, log } = await startSetup();
    await register(dependencies);
    state.known = {};
    log.lines.length = 0;
    await changeElsewhere({ rotate: true });
    expect(await reconcile(dependencies)).toMatchObject({
      report: { wanted: 'registered', secret: { matchesService: true }, lastReconcile: { failure: null } },
    });
    expect(state.known.wanted).toBe('registered');
    expect(log.lines).toEqual([
      { name: 'WEBHOOK_DRIFTED', fields: { kind: 'secret-rotated', isRepaired: true } },
    ]);
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

  it.each(['repair', 'report'] as const)(
    'deactivates again what a rotation that died has made ours after the deactivation: %s',
    async (onDrift) => {
      const { dependencies, state, service } = await startSetup();
      await service.setWebhook({ url: webhookUrl });
      state.known = { wanted: 'deactivated' };
      expect(await reconcile({ ...dependencies, onDrift })).toMatchObject({
        report: { registeredUrl: '', state: 'deactivated' },
      });
      expect(await service.readWebhook()).toMatchObject({ value: { url: '' } });
    },
  );

  it('lets a deactivation win that comes while it finds out what was wanted', async () => {
    const { dependencies, state, service } = await startSetup();
    await register(dependencies);
    state.known = {};
    let asked = 0;
    const readWebhook: typeof service.readWebhook = async () => {
      const told = await service.readWebhook();
      if (++asked === 1) await deactivate(dependencies);
      return told;
    };
    await reconcile({ ...dependencies, service: { ...service, readWebhook } });
    expect(await service.readWebhook()).toMatchObject({ value: { url: '' } });
    expect(state.known.wanted).toBe('deactivated');
  });

  it('fails where it cannot deactivate again', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, state } = await startScriptedSetup(
      { [read]: [webhook.tell], [set]: [answer(422)] },
      documentWith(oldSecret),
    );
    state.known = { wanted: 'deactivated' };
    expect(await reconcile(dependencies)).toMatchObject({ ok: false, error: { kind: 'validation' } });
    expect(state.known.lastReconcile?.failure).toBe('validation');
    expect(state.known.drift).toBeUndefined();
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
    expect(state.known.confirmed?.at).toBe('2026-01-15T12:05:00.000Z');
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
    state.known = { wanted: 'registered', confirmed: { at: '2026-01-15T11:00:00.000Z', versionId: 'v1' } };
    expect(await reconcile(dependencies)).toMatchObject({ error: { kind: 'unusable-secret' } });
    expect(state.known.confirmed?.at).toBe('2026-01-15T11:00:00.000Z');
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
    expect(await reconcile(broken)).toMatchObject({
      error: { kind: 'secret-store', message: 'PutSecretValue of x: InternalServiceError' },
    });
    expect(state.known.lastReconcile?.failure).toBe('secret-store');
    expect(state.known.confirmed).toBeUndefined();
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
    expect(await at(24 * hour - 1)).toMatchObject({ ok: true });
    expect(state.known.lastReconcile).toEqual({ at: '2026-01-16T11:59:59.999Z' });
    expect(journal).not.toContain(set);
    await at(6 * hour);
    expect(journal).toContain(set);
  });

  it('is left to another run that rotates it already, which is no failure', async () => {
    const { at, store, state, journal, secret } = await startAged(30 * day);
    const rotating = { since: '2026-02-14T11:59:00.000Z', by: 'another run', overlapMs: day };
    const marked = { version: 1, current: { secret, since: '2026-01-15T12:00:00.000Z' }, rotating } as const;
    store.put(marked);
    expect(await at(30 * day)).toMatchObject({
      ok: true,
      report: { secret: { rotating: { by: 'another run' } } },
    });
    expect(state.known.lastReconcile).toEqual({ at: '2026-02-14T12:00:00.000Z' });
    expect([journal.includes(set), store.document]).toEqual([false, marked]);
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

  it('and cannot be rotated is tried again after six hours: each try leaves versions of the secret behind', async () => {
    const { at, sandbox, journal } = await startAged(30 * day);
    const faults = { refuse: { status: 422, calls: 1 } };
    await fetch(`${sandbox.url}/sandbox/faults`, { method: 'PUT', body: JSON.stringify(faults) });
    await at(30 * day);
    const tries = () => journal.filter((entry) => entry === set).length;
    // The first try waited three seconds for its mark.
    await at(6 * hour - 3_001);
    expect(tries()).toBe(1);
    await at(1);
    expect(tries()).toBe(2);
  });
});
