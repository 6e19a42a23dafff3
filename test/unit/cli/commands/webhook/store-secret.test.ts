import { describe, expect, it } from 'vitest';
import type { WebhookSettings } from '../../../../../cli/target/connection.ts';
import {
  acceptedSecrets,
  type SecretDocument,
  WebhookSecretError,
} from '../../../../../functions/registration/secret/secret-document.ts';
import { createMemoryStore } from '../../../../support/fakes/webhook-secret-store.ts';
import { commandLine, noonPlus } from '../../support/harness.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const file = temporaryFiles();
const hour = 3_600_000;
const first = 'whsec_Zmlyc3Qtc2VjcmV0LW9mLXRlc3Q=';
const second = 'whsec_c2Vjb25kLXNlY3JldC1vZi10ZXN0';
const third = 'whsec_dGhpcmQtc2VjcmV0LW9mLXRlc3Q=';
let files = 0;

const holding = (secret: string): SecretDocument => ({
  version: 1,
  current: { secret, since: noonPlus(-hour) },
});

/** The command for a pipeline that keeps this, given a secret in a file. */
function storing(document: SecretDocument | undefined, settings: Partial<WebhookSettings> = {}) {
  const store = createMemoryStore(document);
  const connection = {
    webhookSettings: async () => ({ registration: 'off' as const, overlapMs: 24 * hour, ...settings }),
    secretStore: async () => store,
  };
  const { sms } = commandLine({ connection });

  const storeSecret = async (text: string, ...options: string[]) => {
    const path = file(`secret-${++files}.txt`, text);
    const outcome = await sms('webhook', 'store-secret', '--secret-file', path, ...options);
    expect(outcome.out + outcome.err).not.toContain('whsec');
    return outcome;
  };
  return { store, storeSecret };
}

describe('webhook store-secret', () => {
  it('stores the first secret, without the line break that an editor adds', async () => {
    const { store, storeSecret } = storing(undefined);
    expect(await storeSecret(`${first}\n`)).toEqual({
      code: 0,
      out: 'The secret is stored. Requests signed with it are accepted from now on.\n',
      err: '',
    });
    expect(store.document).toEqual({ version: 1, current: { secret: first, since: noonPlus(0) } });
  });

  it.each([
    ['a byte order mark', `\uFEFF${first}`],
    ['a byte order mark and the line ends of Windows', `\uFEFF${first}\r\n`],
  ])('stores a secret without %s', async (_, text) => {
    const { store, storeSecret } = storing(undefined);
    expect(await storeSecret(text)).toMatchObject({ code: 0, err: '' });
    expect(store.document?.current.secret).toBe(first);
  });

  it('takes the name of a preset for the contract of an app without such a file, and suggests it', async () => {
    const { storeSecret } = storing(undefined);
    expect((await storeSecret(first, '--contract', 'twilio', '--accept-mismatch')).code).toBe(0);
    const { code, err } = await storeSecret(first, '--contract', '/nowhere/contract.json');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'neither a file nor a preset. Expected a file, or the name of a preset: 46elks, 8x8',
      ),
    ]);
  });

  it('warns of a token that a stranger may guess, and stores it', async () => {
    const { storeSecret } = storing(undefined);
    const options = ['--contract', 'textlocal', '--accept-mismatch'];
    const { code, err } = await storeSecret('1234', ...options);
    expect([code, err]).toEqual([0, expect.stringContaining('has 4 characters')]);
    const long = storing(undefined);
    expect((await long.storeSecret('Zk3Jw9aQ0mT7xYbC', ...options)).err).not.toContain('characters');
  });

  it('keeps the replaced secret accepted for the setting secretOverlapHours', async () => {
    const { store, storeSecret } = storing(holding(first), { overlapMs: 2 * hour });
    const { code, out } = await storeSecret(second);
    expect([code, out]).toEqual([
      0,
      'The secret is stored; the previous one is accepted until 2026-01-15 11:00:00 -03:00.\n',
    ]);
    const accepted = (after: number) =>
      store.document && acceptedSecrets(store.document, Date.parse(noonPlus(after)));
    expect(accepted(2 * hour - 1)).toEqual([second, first]);
    expect(accepted(2 * hour)).toEqual([second]);
  });

  it('drops a leaked secret at once', async () => {
    const { store, storeSecret } = storing(holding(first));
    const refused = await storeSecret(second, '--no-overlap');
    expect([refused.code, store.stored]).toEqual([2, []]);
    expect(refused.err).toContain('a secret that events may still be signed with: --confirm drops it.');
    const { out } = await storeSecret(second, '--no-overlap', '--confirm');
    expect(out).toMatch(/^The secret is stored; the previous one is no longer accepted/);
    expect(store.document && acceptedSecrets(store.document, Date.parse(noonPlus(0)))).toEqual([second]);
  });

  it('drops a leaked secret also after the new one is stored, and keeps it for requests that wait', async () => {
    const { store, storeSecret } = storing(holding(first));
    await storeSecret(second);
    expect((await storeSecret(second)).out).toBe(
      'Nothing was changed: this secret is the current one, stored 2026-01-15 09:00:00 -03:00. The previous one is accepted until 2026-01-16 09:00:00 -03:00: --no-overlap drops it at once.\n',
    );
    expect((await storeSecret(second, '--no-overlap')).code).toBe(2);
    expect(store.document?.previous?.secret).toBe(first);

    const { code, out } = await storeSecret(second, '--no-overlap', '--confirm');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^This secret was the current one already; the previous one is no longer accepted/,
      ),
    ]);
    expect(store.document && acceptedSecrets(store.document, Date.parse(noonPlus(0)))).toEqual([second]);
    expect(store.document?.retired).toEqual([{ secret: first, until: noonPlus(0) }]);
    const again = await storeSecret(second, '--no-overlap', '--confirm', '--json');
    expect(JSON.parse(again.out)).toEqual({ stored: false, since: noonPlus(0), previousValidUntil: null });
  });

  it('changes nothing when the secret is the current one', async () => {
    const { store, storeSecret } = storing(holding(first));
    const { code, out } = await storeSecret(first, '--json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { stored: false, since: noonPlus(-hour), previousValidUntil: null },
    ]);
    expect((await storeSecret(first)).out).toBe(
      'Nothing was changed: this secret is the current one, stored 2026-01-15 08:00:00 -03:00.\n',
    );
    expect(store.stored).toEqual([]);
  });

  it('ends an open rotation when registration is off', async () => {
    const rotating = { since: noonPlus(-hour), by: 'setup', overlapMs: hour };
    const previous = { secret: second, validUntil: noonPlus(hour) };
    const { store, storeSecret } = storing({ ...holding(first), previous, rotating });
    const { code, out } = await storeSecret(first);
    expect([code, out]).toEqual([0, expect.stringContaining('this secret is the current one')]);
    expect(store.document).toEqual({ ...holding(first), previous });
    const asked = storing({ ...holding(first), rotating }, { registration: 'on' });
    expect((await asked.storeSecret(first, '--force')).code).toBe(0);
    expect(asked.store.document).toEqual({ ...holding(first), rotating });
  });

  it('keeps what another writer stored meanwhile, and gives up when they keep storing', async () => {
    const retired = [{ secret: third, until: noonPlus(-hour) }];
    const { store, storeSecret } = storing(holding(first));
    store.beforeSwap = async (number) => {
      if (number === 1) store.put({ ...holding(first), retired });
    };
    expect((await storeSecret(second)).code).toBe(0);
    expect(store.document).toMatchObject({ retired, current: { secret: second } });
    const busy = storing(holding(first));
    busy.store.beforeSwap = async () => busy.store.put(holding(first));
    const { code, err } = await busy.storeSecret(second);
    expect([code, busy.store.stored]).toEqual([1, []]);
    expect(err).toContain('nothing was stored. Run it again.');
  });

  it('drops a still accepted secret only with --force, except to store that secret again', async () => {
    const { store, storeSecret } = storing(holding(first));
    await storeSecret(third);
    const refused = await storeSecret(second);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('is accepted for another 1 d (until 2026-01-16 09:00:00 -03:00)');
    expect(store.document?.current.secret).toBe(third);
    expect((await storeSecret(first)).code).toBe(0);
    expect(store.document).toMatchObject({ current: { secret: first }, previous: { secret: third } });
    expect((await storeSecret(second, '--force')).code).toBe(2);
    expect((await storeSecret(second, '--force', '--confirm')).code).toBe(0);
    expect(store.document).toMatchObject({ current: { secret: second }, previous: { secret: first } });
  });

  it.each([
    ['whsec_?', 'not in the format of the contract'],
    ['-----BEGIN PUBLIC KEY-----\nMCowBQYDK2Vw\n-----END PUBLIC KEY-----', 'everyone could sign'],
    ['\n', 'holds no secret'],
    ['  \n', 'holds no secret'],
  ])('refuses a file with %j', async (text, problem) => {
    const { store, storeSecret } = storing(holding(first));
    const { code, err } = await storeSecret(text);
    expect([code, store.stored]).toEqual([1, []]);
    expect(err).toContain(problem);
  });

  describe.each([
    ['twilio', 'an HMAC'],
    ['textlocal', 'a token'],
  ])('with %s, which has %s,', (preset) => {
    const options = ['--contract', preset, '--accept-mismatch'];

    it.each(['*'.repeat(20), 'xxxxxxxxxxxxxxxxxxxx', 'changeme', 'your_auth_token_here'])(
      'refuses the placeholder %s unless --force',
      async (text) => {
        const { store, storeSecret } = storing(undefined);
        const refused = await storeSecret(text, ...options);
        expect([refused.code, store.stored]).toEqual([1, []]);
        expect(refused.err).toContain('This looks like a mask or a placeholder');
        const forced = await storeSecret(text, '--force', ...options);
        expect([forced.code, forced.err]).toEqual([0, expect.stringContaining('warning: This looks like')]);
        expect(store.document?.current.secret).toBe(text);
      },
    );

    it('stores any text in a local run', async () => {
      expect((await storing(undefined).storeSecret('any-secret', '--local', ...options)).code).toBe(0);
    });
  });

  it('refuses a mask after the prefix of a secret', async () => {
    const masked = storing(undefined);
    expect((await masked.storeSecret(`whsec_${'x'.repeat(24)}`)).err).toContain('looks like a mask');
    expect(masked.store.stored).toEqual([]);
  });

  it.each(['0a1b2c3d4e', '0a1b2c3d4e5f60 718293a4b5c6d7e8f9'])(
    'refuses %j, which no service makes, unless --force',
    async (text) => {
      const { store, storeSecret } = storing(undefined);
      const options = ['--contract', 'twilio', '--accept-mismatch'];
      const { code, err } = await storeSecret(text, ...options);
      expect([code, err]).toEqual([1, expect.stringContaining('has fewer than 16 characters or a blank')]);
      expect((await storeSecret(text, '--force', ...options)).code).toBe(0);
      expect(store.document?.current.secret).toBe(text);
    },
  );

  it('stores a secret without --force when the API of the registration has none', async () => {
    const registration = { kind: 'twilio-messaging-service', id: 'MG00000000000000000000000000000001' };
    const contract = file('twilio.json', JSON.stringify({ extends: 'twilio', registration }));
    const { store, storeSecret } = storing(undefined, { registration: 'on' });
    const options = ['--contract', contract, '--accept-mismatch'];
    expect(await storeSecret('0a1b2c3d4e5f60718293a4b5c6d7e8f9', ...options)).toMatchObject({ code: 0 });
    expect(store.document?.current.secret).toBe('0a1b2c3d4e5f60718293a4b5c6d7e8f9');
  });

  it('rejects a secret when registration is on, and warns with --force', async () => {
    const { store, storeSecret } = storing(holding(first), { registration: 'on' });
    const refused = await storeSecret(second);
    expect([refused.code, store.stored]).toEqual([1, []]);
    expect(refused.err).toContain('rotate --force repairs it. Add --force to store it anyway.');
    expect(refused.err).not.toContain('npm start');
    expect((await storeSecret(second, '--local')).err).toContain(
      'Or start the local run without registration: npm start -- -c sms:registration=off',
    );
    const forced = await storeSecret(second, '--force');
    expect(forced.code).toBe(0);
    expect(forced.err).toMatch(/^warning: .+rotate --force repairs it\.\n$/);
    expect(store.document?.current.secret).toBe(second);
  });

  it('names the permissions when the secret cannot be written', async () => {
    const { store, storeSecret } = storing(holding(first));
    store.replace = async () => {
      throw new WebhookSecretError('PutSecretValue of webhook: AccessDeniedException');
    };
    const { code, err } = await storeSecret(second);
    expect(code).toBe(1);
    expect(err).toMatch(/^error: PutSecretValue of webhook: AccessDeniedException\. Your credentials need /);
  });

  it.each([
    ['not text', '\u0000\u0001ELF', 'holds no text'],
    ['several lines', `${second}\n${third}`, 'holds several lines'],
    ['a blank at its end', `${first} \n`, 'begins or ends with a blank; remove it'],
    ['a no-break space at its beginning', `\u00A0${first}`, 'begins or ends with a blank; remove it'],
    ['a second byte order mark', `\uFEFF\uFEFF${first}`, 'holds an invisible character, U+FEFF; remove it'],
    ['a zero-width space', `${first}\u200B`, 'holds an invisible character, U+200B; remove it'],
    [
      'a soft hyphen',
      `${first.slice(0, 10)}\u00AD${first.slice(10)}`,
      'holds an invisible character, U+00AD',
    ],
    ['a long text', `whsec_${'A'.repeat(9000)}`, 'holds 9006 bytes; a secret has at most 8192'],
    ['blank', ' \n', 'holds no secret'],
  ])('refuses a file that is %s', async (_, text, problem) => {
    const { store, storeSecret } = storing(holding(first));
    const { code, err } = await storeSecret(text);
    expect([code, err, store.stored]).toEqual([1, expect.stringContaining(problem), []]);
  });
});
