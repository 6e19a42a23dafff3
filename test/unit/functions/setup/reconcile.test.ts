import { describe, expect, it } from 'vitest';
import { deactivate, register } from '../../../../functions/setup/actions.ts';
import { reconcile } from '../../../../functions/setup/reconcile.ts';
import { rotationLimitMs, type SecretDocument } from '../../../../functions/webhook/secret-document.ts';
import { answer, type Step } from '../sms-service/scripted-server.ts';
import {
  documentWith,
  hour,
  newSecret,
  oldSecret,
  read,
  scriptedWebhook,
  set,
  startScriptedSetup,
  startSetup,
  webhookUrl,
} from './doubles/setup-under-test.ts';

const mark = { since: '2026-01-15T11:59:00.000Z', by: 'a run that died', overlapMs: hour };

describe('reconcile while no registration is desired', () => {
  const elsewhere = answer(200, { url: 'https://other.example/hook', secret: newSecret });

  it('changes nothing before the first registration, whatever it finds', async () => {
    const { dependencies, state, store, journal, log } = startScriptedSetup(
      { [read]: [elsewhere] },
      { ...documentWith(oldSecret), rotating: mark },
    );
    const { known } = state;
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'ok', value: { state: 'elsewhere' } });
    expect([new Set(journal), store.stored, log.lines]).toEqual([new Set([read]), [], []]);
    expect(state.known).toBe(known);
  });

  it.each<[string, Step, SecretDocument | undefined, string]>([
    ['no secret is stored', scriptedWebhook().show, undefined, 'registered'],
    [
      'the service sends nowhere',
      answer(200, { url: '', secret: oldSecret }),
      documentWith(oldSecret),
      'deactivated',
    ],
    ['the service cannot be asked', answer(403), documentWith(oldSecret), 'unknown'],
  ])('infers no desired state if %s', async (_, step, document, found) => {
    const { dependencies, state, journal, store } = startScriptedSetup({ [read]: [step] }, document);
    expect(await reconcile(dependencies)).toMatchObject({
      kind: 'ok',
      value: { state: found, wanted: null },
    });
    expect([new Set(journal), store.stored, state.known]).toEqual([new Set([read]), [], {}]);
  });

  it('restores a missing desired state from the webhook and the stored secret, and continues', async () => {
    const { dependencies, changeElsewhere, state, log } = startSetup();
    await register(dependencies);
    state.known = {};
    log.lines.length = 0;
    changeElsewhere({ rotate: true });
    expect(await reconcile(dependencies)).toMatchObject({
      value: { wanted: 'registered', secret: { matchesService: true }, lastReconcile: { failure: null } },
    });
    expect(state.known.wanted).toBe('registered');
    expect(log.lines).toEqual([
      { name: 'WEBHOOK_DRIFTED', fields: { kind: 'secret-rotated', isRepaired: true } },
    ]);
  });

  it('ignores changes made elsewhere after a deactivation', async () => {
    const { dependencies, state, store, journal, log } = startScriptedSetup(
      { [read]: [elsewhere] },
      documentWith(oldSecret),
    );
    state.known = { wanted: 'deactivated' };
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'ok', value: { drift: null } });
    expect([journal, store.stored, log.lines, [...log.counts]]).toEqual([[read], [], [], []]);
  });

  it.each(['repair', 'report'] as const)(
    'deactivates a webhook again that a crashed rotation has changed to ours after the deactivation: %s',
    async (onDrift) => {
      const { dependencies, state, service } = startSetup();
      await service.setWebhook({ url: webhookUrl });
      state.known = { wanted: 'deactivated' };
      expect(await reconcile({ ...dependencies, onDrift })).toMatchObject({
        value: { registeredUrl: '', state: 'deactivated' },
      });
      expect(await service.readWebhook()).toMatchObject({ value: { url: '' } });
    },
  );

  it('yields to a deactivation that is requested while it infers the desired state', async () => {
    const { dependencies, state, service } = startSetup();
    await register(dependencies);
    state.known = {};
    let asked = 0;
    const readWebhook: typeof service.readWebhook = async () => {
      const webhookAnswer = await service.readWebhook();
      if (++asked === 1) await deactivate(dependencies);
      return webhookAnswer;
    };
    await reconcile({ ...dependencies, service: { ...service, readWebhook } });
    expect(await service.readWebhook()).toMatchObject({ value: { url: '' } });
    expect(state.known.wanted).toBe('deactivated');
  });

  it('ends an unfinished rotation after a deactivation: requests may still be parked', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, state, store, advance } = startScriptedSetup(
      { [read]: [answer(200, { url: '', secret: newSecret })], [set]: [webhook.show] },
      { ...documentWith(oldSecret), rotating: mark },
    );
    state.known = { wanted: 'deactivated' };
    await reconcile(dependencies);
    expect(store.document).toMatchObject({ current: { secret: newSecret }, rotating: mark });
    advance(rotationLimitMs);
    expect(await reconcile(dependencies)).toMatchObject({ value: { state: 'deactivated' } });
    expect(store.document).toMatchObject({ current: { secret: newSecret }, previous: { secret: oldSecret } });
    expect(store.document?.rotating).toBeUndefined();
  });

  it('records after a deactivation that it could not read the service', async () => {
    const { dependencies, state } = startScriptedSetup({ [read]: [answer(403)] });
    state.known = { wanted: 'deactivated' };
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'error', error: { kind: 'refused' } });
    expect(state.known).toEqual({
      wanted: 'deactivated',
      lastReconcile: { at: '2026-01-15T12:00:00.000Z', failure: 'refused' },
    });
  });
});

describe('reconcile without drift', () => {
  it('stores nothing, reads the service once, and records the run', async () => {
    const { dependencies, state, journal, log, advance } = startSetup();
    await register(dependencies);
    journal.length = 0;
    log.lines.length = 0;
    advance(5 * 60_000);
    expect(await reconcile(dependencies)).toMatchObject({
      value: {
        drift: null,
        lastReconcile: { at: '2026-01-15T12:05:00.000Z', failure: null },
      },
    });
    expect([journal, log.lines, [...log.counts]]).toEqual([[read], [], []]);
    expect(state.known.confirmed?.at).toBe('2026-01-15T12:05:00.000Z');
  });
});

describe('a failure of reconcile', () => {
  it('is recorded with its kind, and cleared by the next success', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, state } = startScriptedSetup(
      { [read]: [answer(403), webhook.show] },
      documentWith(oldSecret),
    );
    state.known = { wanted: 'registered' };
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'error', error: { kind: 'refused' } });
    expect(state.known).toEqual({
      wanted: 'registered',
      lastReconcile: { at: '2026-01-15T12:00:00.000Z', failure: 'refused' },
    });
    expect(await reconcile(dependencies)).toMatchObject({
      value: { lastReconcile: { at: '2026-01-15T12:00:00.000Z', failure: null } },
    });
  });

  it('to read the service confirms nothing', async () => {
    const { dependencies, state } = startScriptedSetup({
      [read]: [answer(200, { url: webhookUrl, secret: 'whsec_***' })],
    });
    state.known = { wanted: 'registered', confirmed: { at: '2026-01-15T11:00:00.000Z', versionId: 'v1' } };
    expect(await reconcile(dependencies)).toMatchObject({ error: { kind: 'unusable-secret' } });
    expect(state.known.confirmed?.at).toBe('2026-01-15T11:00:00.000Z');
  });
});
