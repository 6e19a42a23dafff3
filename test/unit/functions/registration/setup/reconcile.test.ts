import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signature as signatureSchema } from '../../../../../contract/schema/signature-schema.ts';
import { rotationLimitMs } from '../../../../../functions/registration/secret/secret-document.ts';
import { deactivate, register } from '../../../../../functions/registration/setup/actions.ts';
import { runAction } from '../../../../../functions/registration/setup/handle.ts';
import { reconcile } from '../../../../../functions/registration/setup/reconcile.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
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

const day = 24 * hour;
const mark = { since: '2026-01-15T11:59:00.000Z', by: 'a run that died', overlapMs: hour };

describe('reconcile after a registration that failed', () => {
  it.each(['repair', 'report'] as const)(
    'registers although the desired state was never stored, and calls nothing a change made elsewhere: %s',
    async (onDrift) => {
      const { dependencies, ports, state, service, log, logged } = startSetup();
      const lost = async () => {
        throw new Error('the table does not answer');
      };
      const broken = { ...ports, state: { ...state, setDesiredState: lost } };
      expect(await runAction({ action: 'register' }, broken)).toMatchObject({ error: { kind: 'internal' } });
      expect(state.known).toEqual({});
      log.lines.length = 0;

      expect(await reconcile({ ...dependencies, onDrift })).toMatchObject({
        value: { state: 'registered', desiredState: 'registered', secret: { matchesService: true } },
      });
      expect(await service.read()).toMatchObject({ value: { url: webhookUrl } });
      expect([logged(), [...log.counts]]).toEqual([['WEBHOOK_REGISTERED'], []]);
    },
  );

  it('logs that it replaces the address of another receiver', async () => {
    const { dependencies, service, log, logged } = startSetup();
    await service.set('https://other.example/hook');
    await reconcile(dependencies);
    expect([logged(), [...log.counts]]).toEqual([['WEBHOOK_REPLACED', 'WEBHOOK_REGISTERED'], []]);
  });

  it('counts as failed until it succeeds', async () => {
    const { ports, log } = startScriptedSetup({ [read]: [answer(403)] });
    expect(await runAction({ action: 'reconcile' }, ports)).toMatchObject({ error: { kind: 'refused' } });
    expect([...log.counts]).toEqual([['reconcileFailed', 1]]);
  });

  it('yields to a deactivation that is requested while it registers', async () => {
    const { dependencies, state, service } = startSetup();
    const setLate: typeof service.set = async (url) => {
      await deactivate(dependencies);
      return service.set(url);
    };
    await reconcile({ ...dependencies, service: { ...service, set: setLate } });
    expect(await service.read()).toMatchObject({ value: { url: '' } });
    expect(state.known.desiredState).toBe('deactivated');
    expect(state.known.registeredAt).toBeUndefined();
  });

  it('reports what is changed elsewhere once it has registered', async () => {
    const { dependencies, changeElsewhere, log } = startSetup();
    await reconcile(dependencies);
    log.lines.length = 0;
    changeElsewhere({ rotate: true });
    await reconcile(dependencies);
    expect(log.lines).toEqual([
      { name: 'WEBHOOK_DRIFTED', fields: { kind: 'secret-rotated', isRepaired: true } },
    ]);
  });
});

describe('reconcile after a deactivation', () => {
  const elsewhere = answer(200, { url: 'https://other.example/hook', secret: newSecret });

  it('ignores changes made elsewhere', async () => {
    const { dependencies, state, store, journal, log } = startScriptedSetup(
      { [read]: [elsewhere] },
      documentWith(oldSecret),
    );
    state.known = { desiredState: 'deactivated' };
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'ok', value: { drift: null } });
    expect([journal, store.stored, log.lines, [...log.counts]]).toEqual([[read], [], [], []]);
  });

  it.each(['repair', 'report'] as const)(
    'deactivates a webhook again that a crashed rotation has changed to ours after the deactivation: %s',
    async (onDrift) => {
      const { dependencies, state, service } = startSetup();
      await service.set(webhookUrl);
      state.known = { desiredState: 'deactivated' };
      expect(await reconcile({ ...dependencies, onDrift })).toMatchObject({
        value: { registeredUrl: '', state: 'deactivated' },
      });
      expect(await service.read()).toMatchObject({ value: { url: '' } });
    },
  );

  it('ends an unfinished rotation after a deactivation: requests may still be parked', async () => {
    const webhook = scriptedWebhook();
    const { dependencies, state, store, advance } = startScriptedSetup(
      { [read]: [answer(200, { url: '', secret: newSecret })], [set]: [webhook.show] },
      { ...documentWith(oldSecret), rotating: mark },
    );
    state.known = { desiredState: 'deactivated' };
    await reconcile(dependencies);
    expect(store.document).toMatchObject({ current: { secret: newSecret }, rotating: mark });
    advance(rotationLimitMs);
    expect(await reconcile(dependencies)).toMatchObject({ value: { state: 'deactivated' } });
    expect(store.document).toMatchObject({ current: { secret: newSecret }, previous: { secret: oldSecret } });
    expect(store.document?.rotating).toBeUndefined();
  });

  it('records after a deactivation that it could not read the service', async () => {
    const { dependencies, state } = startScriptedSetup({ [read]: [answer(403)] });
    state.known = { desiredState: 'deactivated' };
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'error', error: { kind: 'refused' } });
    expect(state.known).toEqual({
      desiredState: 'deactivated',
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
    state.known = { desiredState: 'registered' };
    expect(await reconcile(dependencies)).toMatchObject({ kind: 'error', error: { kind: 'refused' } });
    expect(state.known).toEqual({
      desiredState: 'registered',
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
    state.known = {
      desiredState: 'registered',
      confirmed: { at: '2026-01-15T11:00:00.000Z', versionId: 'v1' },
    };
    expect(await reconcile(dependencies)).toMatchObject({ error: { kind: 'unusable-secret' } });
    expect(state.known.confirmed?.at).toBe('2026-01-15T11:00:00.000Z');
  });
});

describe('a secret that reaches its age', () => {
  async function startAged(rotateAfterMs: number | undefined, onDrift: 'repair' | 'report' = 'repair') {
    const setup = startSetup();
    await register(setup.dependencies);
    setup.journal.length = 0;
    const at = (ms: number) => {
      setup.advance(ms);
      return reconcile({ ...setup.later(), rotateAfterMs, onDrift, requestId: 'request-2' });
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
    expect(journal).toEqual([read, read, read, 'store mark', 'pause 3000', read, set, 'store secrets', read]);
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

it.each([
  '********',
  '•••',
  '[REDACTED]',
  'abc...xyz',
  ' ',
  'null',
  'xxxxxxxxab12',
  'xxxx-1234',
  '###1234',
  '[FILTERED]',
  '____',
  'Not shown',
  'N/A',
  'true',
  'not available',
  'whsec_AA==',
  '(a sensitive value)',
  'whsec_****',
  'whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxx1234',
  'abcdxxxxxxxxxxxxxxxxwxyz',
  'whsec_AAAAAAAAAAAAAAAAAAAAAAAA',
  '0000000000000000',
  '----------------ab12',
  '1234567890123456',
  'not_available_in_this_plan',
  'hidden-for-security-reasons',
  '[secret-not-available 1]',
  'YOUR_SIGNING_SECRET',
  '<signing-secret-1>',
  '$(WEBHOOK_SECRET_1)',
  '{{webhook.secret1}}',
  'undefinedundefined',
  'ENCRYPTED_ENCRYPTED',
  'https://docs.example/secrets/1',
  'whsec_<your-signing-secret>',
  'Your_Signing_Secret',
  'NotAvailableForThisPlan',
  '<your-signing-key-1>\n',
  'whsec_hidden0f0r0security1',
  'whsec_xxxx1234abcd5678',
  'sk_live_xxxxx1234',
  'prefix1234·····',
  'whsec_a1b2∗∗∗∗∗1234',
  'YOURSIGNINGSECRET',
  'your-webhook-signing-secret-1',
  'whsec_YourSecretHere1',
  'whsec_{{secret1}}',
  '%%SECRET_VALUE_1%%',
])(
  'a mask that the service shows in place of its secret never replaces the stored one: %j',
  async (secret) => {
    const { dependencies, store } = startScriptedSetup(
      { [read]: [answer(200, { url: webhookUrl, secret })] },
      documentWith(oldSecret),
    );
    const { signature } = dependencies;
    if (signature.scheme !== 'hmac') throw new Error('the contract of the tests has another scheme');
    // Any text is a secret in this encoding.
    const asText = { ...signature, secret: { encoding: 'utf8' as const, prefix: '' } };
    expect(await reconcile({ ...dependencies, signature: asText })).toMatchObject({
      error: { kind: 'unusable-secret', message: expect.stringContaining('shows a mask') },
    });
    expect(store.document).toEqual(documentWith(oldSecret));
  },
);

it('random secrets are no masks, whatever a service makes them of', async () => {
  const hash = createHash('sha256').update('a secret of a test');
  const bytes = hash.digest();
  const secrets = [
    ...(['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding)),
    `secret_${bytes.toString('base64url')}`,
    '0b9c1c9e-6f0f-4a53-9d0c-2f3f6f1f6a11',
    'qzkvhwyjmtnbexrlgadpufcsoi',
  ];
  for (const secret of secrets) {
    const { dependencies, store } = startScriptedSetup(
      { [read]: [answer(200, { url: webhookUrl, secret })] },
      documentWith(oldSecret),
    );
    const signature = signatureSchema.parse({ scheme: 'token', header: 'X-Token' });
    expect(await reconcile({ ...dependencies, signature })).toMatchObject({ kind: 'ok' });
    expect(store.document?.current.secret).toBe(secret);
  }
});

it.each([
  {
    scheme: 'public-key',
    algorithm: 'ed25519',
    encoding: 'base64',
    header: 'X-Signature',
    signedContent: '{body}',
  },
  { scheme: 'jwt', algorithm: 'EdDSA', header: 'X-Token', payloadHash: { claim: 'hash' } },
])('a public key in PEM is no mask, although it has line breaks: $scheme', async (contract) => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const { dependencies, store } = startScriptedSetup(
    { [read]: [answer(200, { url: webhookUrl, secret: key })] },
    documentWith(oldSecret),
  );
  const signature = signatureSchema.parse(contract);
  expect(await reconcile({ ...dependencies, signature })).toMatchObject({ kind: 'ok' });
  expect(store.document?.current.secret).toBe(key);
});
