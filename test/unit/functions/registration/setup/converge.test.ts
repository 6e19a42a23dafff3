import { describe, expect, it } from 'vitest';
import type { RotationFailure } from '../../../../../functions/registration/rotation.ts';
import { rotationLimitMs } from '../../../../../functions/registration/secret/secret-document.ts';
import { register, rotate } from '../../../../../functions/registration/setup/actions.ts';
import { describeRotationFailure } from '../../../../../functions/registration/setup/converge.ts';
import { reconcile } from '../../../../../functions/registration/setup/reconcile.ts';
import { answer, breakOff, hang, type Step, tokens } from '../../base/sms-service/scripted-server.ts';
import {
  documentWith,
  exchange,
  newSecret,
  oldSecret,
  read,
  scriptedWebhook,
  set,
  startScriptedSetup,
  webhookUrl,
} from './doubles/setup-under-test.ts';

const gently = { force: false, overlap: true };

type Script = (webhook: ReturnType<typeof scriptedWebhook>) => Record<string, readonly Step[]>;

/** A registered webhook at a service that plays this script; "read webhook" shows the webhook unless the script replaces it. */
async function start(script: Script) {
  const webhook = scriptedWebhook();
  const setup = startScriptedSetup({ [read]: [webhook.show], ...script(webhook) }, documentWith(oldSecret));
  setup.state.known = { desiredState: 'registered' };
  return { ...setup, ...webhook };
}

/** Rotates, and looks for secrets in all that is said. */
async function play(script: Script) {
  const setup = await start(script);
  const outcome = await rotate(setup.dependencies, gently);
  expect(JSON.stringify(outcome) + setup.log.text()).not.toContain('whsec_');
  return { ...setup, outcome, message: outcome.kind === 'ok' ? '' : outcome.error.message };
}

const before = ['GET', 'store mark', 'pause 3000', 'GET'];
const brief = (journal: readonly string[]) => journal.map((entry) => entry.replace(/ \/.*/, ''));

describe('a rotation that the service rejects', () => {
  it.each<[string, Step, number]>([
    ['after some tries', answer(429), 5],
    ['at once where it would take too long', answer(429, '', { 'retry-after': '3600' }), 1],
  ])('is abandoned %s, and its mark is removed', async (_, step, tries) => {
    const { outcome, store, server, logged } = await play(() => ({ [set]: [step] }));
    expect(outcome).toMatchObject({ kind: 'error', error: { kind: 'too-many-requests' } });
    expect(server.count(set)).toBe(tries);
    expect(store.document).toEqual(documentWith(oldSecret));
    expect(logged()).toEqual([]);
  });

  it('is quoted without the secret, and the mark is removed', async () => {
    const refusal = { error: 'rotate_secret needs the owner', secret: oldSecret, echo: `about ${oldSecret}` };
    const { outcome, message, store } = await play(() => ({ [set]: [answer(422, refusal)] }));
    expect(outcome).toMatchObject({ error: { kind: 'validation' } });
    expect(message).toContain('set webhook: the SMS service answered 422 (validation)');
    expect(message).toContain('rotate_secret needs the owner');
    expect(store.document).toEqual(documentWith(oldSecret));
  });

  it.each([500, 503])(
    'at the token exchange (%i) was never requested: its mark is removed',
    async (status) => {
      const { outcome, store, logged } = await play(() => ({
        [exchange]: [tokens(), answer(status)],
        [set]: [answer(401)],
      }));
      expect(outcome).toMatchObject({ error: { kind: 'server' } });
      expect([store.document, logged()]).toEqual([documentWith(oldSecret), []]);
    },
  );
});

describe('an answer that is lost after the service has rotated', () => {
  it.each<[string, Step]>([
    ['500', answer(500, 'down')],
    ['a lost connection', breakOff],
  ])('(%s) is recovered by reading', async (_, step) => {
    const { outcome, store, server, dependencies, advance, logged } = await play(({ rotates }) => ({
      [set]: [rotates(step)],
    }));
    expect(outcome).toMatchObject({
      kind: 'ok',
      value: { secret: { matchesService: true, previousValidUntil: '2026-01-16T12:00:03.000Z' } },
    });
    expect(server.count(set)).toBe(1);
    // The secret may come from another rotation, and the requested one may still come: the mark remains.
    expect(store.document).toMatchObject({
      current: { secret: newSecret },
      previous: { secret: oldSecret },
      rotating: { by: 'the rotate command (request-1)' },
    });
    advance(rotationLimitMs);
    await reconcile(dependencies);
    expect(store.document?.rotating).toBeUndefined();
    expect(store.document).toMatchObject({
      current: { secret: newSecret },
      previous: { secret: oldSecret, validUntil: '2026-01-16T12:00:03.000Z' },
    });
    expect(logged()).toEqual(['SECRET_STORED_UNDER_MARK', 'ROTATION_MARK_OVERDUE']);
  });
});

describe('a rotation whose answer leaves open whether the service rotated', () => {
  it('is settled by reading until the service shows the new secret', async () => {
    const { outcome, journal } = await play(({ show, rotates }) => ({
      [read]: [show, show, show, show, rotates(show)],
      [set]: [hang],
    }));
    expect(outcome).toMatchObject({ kind: 'ok', value: { secret: { matchesService: true } } });
    expect(brief(journal)).toEqual([
      ...before,
      'PUT',
      'GET',
      'pause 1000',
      'GET',
      'pause 2000',
      'GET',
      'store mark',
    ]);
  });

  it.each<[string, Step, string]>([
    ['never shows one', hang, 'no answer of the SMS service within 10000 ms'],
    ['says that it did, and never shows one', answer(200, { url: webhookUrl, secret: oldSecret }), ''],
    ['says that it did, without a secret', answer(200, { url: webhookUrl, secret: '' }), ''],
  ])('is left marked for the next run if the service %s', async (_, step, reason) => {
    const { outcome, message, store, dependencies, advance, logged, webhook } = await play(() => ({
      [set]: [step],
    }));
    expect(outcome).toMatchObject({ kind: 'error', error: { kind: 'undecided' } });
    expect(message).toContain(reason);
    expect(dependencies.deadline.isOver()).toBe(false);
    const marked = store.document;
    expect(marked).toMatchObject({ current: { secret: oldSecret }, rotating: { overlapMs: 86_400_000 } });

    advance(rotationLimitMs - (dependencies.clock() - Date.parse(marked?.rotating?.since ?? '')) - 1);
    await reconcile(dependencies);
    expect(store.document).toBe(marked);
    advance(1);
    await reconcile(dependencies);
    expect(store.document).toEqual(documentWith(oldSecret));
    expect(logged()).toEqual(['ROTATION_UNDECIDED', 'ROTATION_MARK_OVERDUE']);
    expect(webhook.secret).toBe(oldSecret);
  });
});

it('a secret that the contract cannot use is not stored, and the mark remains', async () => {
  const { outcome, store, dependencies, webhook } = await play(() => ({
    [set]: [answer(200, { url: webhookUrl, secret: 'whsec_***' })],
  }));
  expect(outcome).toMatchObject({ kind: 'error', error: { kind: 'unusable-secret' } });
  expect(store.document).toMatchObject({ current: { secret: oldSecret }, rotating: {} });
  webhook.secret = newSecret;
  await reconcile(dependencies);
  expect(store.document).toMatchObject({ current: { secret: newSecret }, previous: { secret: oldSecret } });
});

const stale = answer(200, { url: webhookUrl, secret: oldSecret });
const fresh = answer(200, { url: webhookUrl, secret: newSecret });
const revoked = {
  ...documentWith(newSecret),
  retired: [{ secret: oldSecret, until: '2026-01-15T11:59:00.000Z' }],
};

/** A webhook whose old secret was revoked, at a service that shows it again in these answers. */
function startRevoked(...reads: Step[]) {
  const setup = startScriptedSetup({ [read]: reads }, revoked);
  setup.state.known = { desiredState: 'registered' };
  return setup;
}

describe('after a rotation without overlap, an answer of the service that still shows the old secret', () => {
  it.each([
    ['reconcile', reconcile],
    ['register', register],
  ])('makes %s read again, and is not drift', async (_, action) => {
    const { dependencies, store, log, journal, state } = startRevoked(stale, stale, fresh);
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
    const { dependencies, store, state, log } = startRevoked(stale);
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

it.each<[RotationFailure, string[]]>([
  [
    { kind: 'overlap', validUntil: '2026-01-16T09:30:00.000Z' },
    ['still accepted for 21 h 30 min (until 2026-01-16T09:30:00.000Z)', '--force'],
  ],
  [
    { kind: 'rotation-under-way', since: '2026-01-15T11:58:30.000Z', by: 'the schedule (request-0)' },
    [
      'by the schedule (request-0), begun 2026-01-15T11:58:30.000Z (1 min 30 s ago)',
      'another one can begin in 1 min 30 s',
    ],
  ],
  // Its mark is overdue, and no run has looked since.
  [
    { kind: 'rotation-under-way', since: '2026-01-15T11:00:00.000Z', by: 'a run' },
    ['(1 h ago)', 'another one can begin in 0 ms'],
  ],
  [{ kind: 'not-registered' }, ['run webhook register first']],
  [{ kind: 'refused' }, ['refused to rotate']],
  [{ kind: 'overtaken' }, ['took too long', 'Run it again']],
])('the rotation failure message for %o says what to do', (failure, parts) => {
  const message = describeRotationFailure(failure, Date.parse('2026-01-15T12:00:00.000Z'));
  for (const part of parts) expect(message).toContain(part);
});
