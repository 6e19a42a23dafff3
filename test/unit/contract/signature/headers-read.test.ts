import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignatureContract } from '../../../../contract/schema/contract-schema.ts';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier, headersRead } from '../../../../contract/signature/verify.ts';
import { decodeEnvelope, encodeEnvelope, unverifiedRequest } from '../../../../functions/receive/envelope.ts';
import { contracts, shippedContract } from '../../../../tools/support/contracts.ts';
import { assertProperty } from '../../../support/property.ts';

const url = 'https://example.test/webhooks/sms?a=1';
const now = Date.UTC(2026, 0, 15, 12);
const standard = shippedContract.webhook.signature;
if (standard.scheme !== 'hmac') throw new Error('the shipped contract is hmac');

const schemes: readonly { name: string; scheme: SignatureContract; secret: string }[] = [
  ...contracts.map(({ name, contract, secret }) => ({ name, scheme: contract.webhook.signature, secret })),
  {
    name: 'URL and a named header',
    scheme: {
      ...standard,
      id: null,
      timestamp: null,
      signedContent: '{url}|{header:X-Nonce}|{body}|{header:__proto__}',
    },
    secret: 'a secret of text',
  },
];

describe('the headers that a scheme reads', () => {
  it('are named in lower case, each once', () => {
    expect(headersRead(standard)).toEqual(['webhook-signature', 'webhook-id', 'webhook-timestamp']);
    expect(headersRead({ ...standard, signedContent: '{body}{header:Webhook-ID}{header:X-Nonce}' })).toEqual([
      'webhook-signature',
      'webhook-id',
      'webhook-timestamp',
      'x-nonce',
    ]);
    expect(headersRead({ scheme: 'token', header: 'Authorization', prefix: '', encoding: 'text' })).toEqual([
      'authorization',
    ]);
    expect(headersRead({ scheme: 'none', anyoneMayPost: true })).toEqual([]);
  });

  it.each(schemes)(
    '$name: are all that verification depends on, also after the queue',
    ({ scheme, secret }) => {
      const verify = createVerifier(scheme, postedJson);
      const names = headersRead(scheme);
      const extra = { 'X-Nonce': 'n', ['__proto__']: 'p' };
      const change = fc.oneof(
        { weight: 4, arbitrary: fc.constant((value: string): string | undefined => value) },
        fc.constant(() => undefined),
        fc.constant(() => ''),
        fc.constant((value: string) => `${value}x`),
        fc.string({ unit: 'binary' }).map((text) => () => text),
      );
      const spelling = fc.constantFrom(
        (name: string) => name,
        (name: string) => name.toUpperCase(),
        (name: string) => name.toLowerCase(),
      );
      const others = fc.dictionary(fc.stringMatching(/^[A-Za-z-]{1,12}$/), fc.string());
      const verdicts = new Set<string>();
      assertProperty(
        fc.property(
          fc.uint8Array(),
          fc.array(fc.tuple(change, spelling), { minLength: 6, maxLength: 6 }),
          others,
          fc.constantFrom([], [secret], ['whsec_b3RoZXI=', secret], ['whsec_b3RoZXI=']),
          fc.constantFrom(0, 300_000, 300_001),
          (body, changes, unread, secrets, age) => {
            const signed = {
              ...extra,
              ...signRequest(scheme, { body, id: 'evt_1', now, url, headers: extra }, secret),
            };
            const headers: Record<string, string | undefined> = Object.fromEntries([
              ...Object.entries(unread),
              ...Object.entries(signed).map(([name, value], index) => {
                const [alter, spell] = changes[index] ?? [(same: string) => same, (same: string) => same];
                return [spell(name), alter(value)];
              }),
            ]);
            const queued = decodeEnvelope(
              encodeEnvelope({
                requestId: 'r',
                receivedAt: new Date(now).toISOString(),
                body,
                unverified: unverifiedRequest({ headers, url }, names),
              }),
            );
            if (queued?.unverified === undefined) throw new Error('not decoded');
            const verdict = verify({ headers, body, url }, secrets, now + age);
            verdicts.add(verdict.kind === 'verified' ? 'verified' : verdict.reason);
            expect(verify({ ...queued.unverified, body: queued.body }, secrets, now + age)).toEqual(verdict);
          },
        ),
        { numRuns: 500 },
      );
      // The runs met both.
      expect([...verdicts]).toEqual(expect.arrayContaining(['verified', 'signature-mismatch']));
    },
  );
});
