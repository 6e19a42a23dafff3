import { describe, expect, it } from 'vitest';
import { register, rotate } from '../../../../../functions/setup/actions.ts';
import { reconcile } from '../../../../../functions/setup/reconcile.ts';
import { answer, type Step } from '../../sms-service/scripted-server.ts';
import {
  documentWith,
  newSecret,
  oldSecret,
  read,
  scriptedWebhook,
  set,
  startScriptedSetup,
  webhookUrl,
} from '../doubles/setup-under-test.ts';

const newestSecret = 'whsec_M3Jk';
const stale = answer(200, { url: webhookUrl, secret: oldSecret });
const fresh = answer(200, { url: webhookUrl, secret: newSecret });
const revoked = {
  ...documentWith(newSecret),
  retired: [{ secret: oldSecret, until: '2026-01-15T11:59:00.000Z' }],
};

/** A webhook whose old secret was revoked, at a service that shows it again in these answers. */
async function start(...reads: Step[]) {
  const setup = startScriptedSetup({ [read]: reads }, revoked);
  setup.state.known = { wanted: 'registered' };
  return setup;
}

describe('after a rotation without overlap, an answer of the service that still shows the old secret', () => {
  it('does not bring the revoked secret back', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, store, state } = startScriptedSetup(
      { [read]: [webhook.show, webhook.show, stale, fresh], [set]: [webhook.rotates()] },
      documentWith(oldSecret),
    );
    state.known = { wanted: 'registered' };
    expect(await rotate(dependencies, { force: false, overlap: false })).toMatchObject({ kind: 'ok' });
    const rotated = store.document;
    expect(await reconcile(dependencies)).toMatchObject({ value: { secret: { matchesService: true } } });
    expect(store.document).toEqual(rotated);
    expect(rotated?.previous).toBeUndefined();
  });

  it.each([
    ['reconcile', reconcile],
    ['register', register],
  ])('makes %s read again, and is not drift', async (_, action) => {
    const { dependencies, store, log, journal, state } = await start(stale, stale, fresh);
    expect(await action(dependencies)).toMatchObject({
      kind: 'ok',
      value: { secret: { matchesService: true } },
    });
    expect(journal).toEqual([read, 'pause 1000', read, 'pause 2000', read]);
    expect(store.stored).toEqual([]);
    expect(log.lines.filter(({ name }) => name === 'WEBHOOK_DRIFTED')).toEqual([]);
    expect(state.known.confirmed?.at).toBe('2026-01-15T12:00:03.000Z');
  });

  it('fails the run after 15 s of reading, and confirms nothing', async () => {
    const { dependencies, store, state, log } = await start(stale);
    const { clock } = dependencies;
    const begun = clock();
    expect(await reconcile(dependencies)).toMatchObject({
      kind: 'error',
      error: { kind: 'replaced-secret', message: expect.stringContaining('was replaced before') },
    });
    expect(clock() - begun).toBe(15_000);
    expect(store.stored).toEqual([]);
    expect(state.known.confirmed).toBeUndefined();
    expect(state.known.lastReconcile?.failure).toBe('replaced-secret');
    expect([...log.counts]).toEqual([]);
  });

  it.each([
    ['sends to this pipeline', webhookUrl],
    ['sends nowhere', ''],
  ])('yields to a forced rotation if the service %s: the service makes a new secret', async (_, url) => {
    const webhook = scriptedWebhook();
    webhook.webhook.url = url;
    const setup = startScriptedSetup(
      {
        [read]: [webhook.show],
        [set]: [
          (request) => {
            Object.assign(webhook.webhook, { url: webhookUrl, secret: newestSecret });
            return webhook.show(request);
          },
        ],
      },
      revoked,
    );
    const { dependencies, store, state, server, journal } = setup;
    state.known = { wanted: 'registered' };
    const failure = await reconcile(dependencies);
    expect(failure).toMatchObject({
      error: { kind: 'replaced-secret', message: expect.stringContaining('webhook rotate --force') },
    });
    journal.length = 0;
    expect(await rotate(dependencies, { force: true, overlap: true })).toMatchObject({
      kind: 'ok',
      value: { secret: { matchesService: true } },
    });
    expect(journal).toEqual([read, 'store mark', 'pause 3000', read, set, 'store secrets']);
    expect(server.count(set)).toBe(1);
    expect(store.document).toMatchObject({
      current: { secret: newestSecret },
      previous: { secret: newSecret },
      retired: revoked.retired,
    });
    expect(store.document?.rotating).toBeUndefined();
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'ok' });
  });

  it('removes the mark of a rotation that has not asked the service yet', async () => {
    const webhook = scriptedWebhook();
    webhook.webhook.secret = newSecret;
    const { dependencies, store, state, server } = startScriptedSetup(
      { [read]: [fresh, stale], [set]: [webhook.rotates()] },
      revoked,
    );
    state.known = { wanted: 'registered' };
    expect(await rotate(dependencies, { force: false, overlap: true })).toMatchObject({
      error: { kind: 'replaced-secret' },
    });
    expect(store.document).toEqual(revoked);
    expect(server.count(set)).toBe(0);
  });
});
