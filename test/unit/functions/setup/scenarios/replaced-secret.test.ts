import { describe, expect, it } from 'vitest';
import { register } from '../../../../../functions/setup/actions.ts';
import { reconcile } from '../../../../../functions/setup/reconcile.ts';
import { answer, type Step } from '../../sms-service/scripted-server.ts';
import {
  documentWith,
  newSecret,
  oldSecret,
  read,
  startScriptedSetup,
  webhookUrl,
} from '../doubles/setup-under-test.ts';

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
      error: { kind: 'replaced-secret', message: expect.stringContaining('webhook rotate --force') },
    });
    expect(clock() - begun).toBe(15_000);
    expect(store.stored).toEqual([]);
    expect(state.known.confirmed).toBeUndefined();
    expect(state.known.lastReconcile?.failure).toBe('replaced-secret');
    expect([...log.counts]).toEqual([]);
  });
});
