import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signature } from '../../../../contract/schema/signature-schema.ts';
import { signedRequest, signRequest } from '../../../../contract/signature/sign.ts';
import { createSignedTextVerifier } from '../../../../contract/signature/signed-text.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';

const body = Buffer.from('{"status":"delivered"}');
const url = 'https://example.test/webhooks/sms';
const now = Date.UTC(2026, 0, 15, 12);

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const list = { header: 'x-signature', prefix: 'v1=', separator: ',', signedContent: '{body}' } as const;
const schemes = [
  {
    scheme: signature.parse({
      ...list,
      scheme: 'public-key',
      algorithm: 'ecdsa-sha256',
      encoding: 'base64',
    }),
    signing: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    secret: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  },
  {
    scheme: signature.parse({
      ...list,
      scheme: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      secret: { encoding: 'utf8' },
    }),
    signing: 'a shared secret',
    secret: 'a shared secret',
  },
];

describe('a header with many signatures', () => {
  it.each(schemes)('costs at most 8 verifications for each secret ($scheme.scheme)', ({ scheme }) => {
    if (scheme.scheme !== 'hmac' && scheme.scheme !== 'public-key') throw new Error('not a list');
    const tried: string[] = [];
    const verify = createSignedTextVerifier(
      scheme,
      (_content, secret, signatures) => {
        tried.push(...signatures.map((entry) => `${secret} ${entry}`));
        return false;
      },
      postedJson,
    );
    const headers = { 'x-signature': Array.from({ length: 558 }, (_, index) => `v1=${index}`).join(',') };
    expect(verify({ headers, body, url }, ['current', 'previous'], now)).toEqual({
      kind: 'rejected',
      reason: 'signature-mismatch',
    });
    const first8 = [0, 1, 2, 3, 4, 5, 6, 7];
    expect(tried).toEqual([
      ...first8.map((entry) => `current ${entry}`),
      ...first8.map((entry) => `previous ${entry}`),
    ]);
  });

  describe.each(schemes)(
    'with the genuine one among them ($scheme.scheme)',
    ({ scheme, signing, secret }) => {
      const genuine = signRequest(scheme, { body, id: '', now, url }, signing)['x-signature'] ?? '';
      const isVerified = (entries: readonly string[]) =>
        createVerifier(scheme, postedJson)(
          { headers: { 'x-signature': entries.join(',') }, body, url },
          [secret],
          now,
        ).kind === 'verified';
      const forged = (count: number) => Array.from({ length: count }, () => 'v1=AAAA');

      it('is accepted if that is one of the first 8', () => {
        expect(isVerified([...forged(7), genuine, ...forged(20)])).toBe(true);
      });

      it('is rejected if it comes after the first 8', () => {
        expect(isVerified([...forged(8), genuine])).toBe(false);
      });

      it('is accepted with any number of empty entries and of entries that are not signatures', () => {
        const others = Array.from({ length: 50 }, (_, index) => [`t=${index}`, '', 'v1=', 'v0=AAAA']).flat();
        expect(isVerified([...others, genuine])).toBe(true);
      });
    },
  );
});

it('a form that is signed again has one signature and one time', () => {
  const scheme = signature.parse({
    scheme: 'hash',
    algorithm: 'md5',
    encoding: 'hex',
    body: 'sig',
    signedContent: '&{form:name=value&}{secret}',
    timestamp: { body: 'timestamp', unit: 'seconds', toleranceSeconds: 300 },
  });
  const postedForm = { method: 'POST', bodyFormat: 'form' } as const;
  const form = Buffer.from('sig=00&text=a%26b&timestamp=1');
  const again = signedRequest(scheme, { body: form, id: '', now, url }, 'a secret', postedForm);
  expect(again.body.toString()).toMatch(/^text=a%26b&timestamp=\d{10}&sig=[0-9a-f]{32}$/);
  expect(createVerifier(scheme, postedForm)({ ...again, headers: {} }, ['a secret'], now).kind).toBe(
    'verified',
  );
});
