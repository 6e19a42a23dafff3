import { expect, it } from 'vitest';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import type { SecretDocument } from '../../../../functions/webhook/secret-document.ts';
import { createConfirmedByHand, judgeParked } from '../../../../functions/worker/admit.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';

const now = Date.parse('2026-01-15T12:01:00.000Z');
const document: SecretDocument = {
  version: 1,
  current: { secret: 'whsec_Zmlyc3Q=', since: '2026-01-01T00:00:00.000Z' },
};
const stored = { document, versionId: 'v1' };

it('without registration the worker rejects a request that matches no stored secret, instead of waiting for another secret', async () => {
  const { confirmed } = await createConfirmedByHand({ read: async () => stored }, () => now).read();
  expect(confirmed).toEqual({ at: '2026-01-15T12:01:00.000Z', versionId: 'v1' });
  const envelope = {
    requestId: 'r',
    receivedAt: '2026-01-15T12:00:00.000Z',
    body: Buffer.from('{}'),
    unverified: {
      headers: {
        'webhook-id': 'evt-1',
        'webhook-timestamp': String(Date.parse('2026-01-15T12:00:00.000Z') / 1000),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
      url: 'https://pipeline.test/webhooks/sms',
    },
  };
  const verify = createVerifier(shippedContract.webhook.signature);
  expect(judgeParked(envelope, verify, { stored, confirmed })).toEqual({ kind: 'rejected' });
  expect(judgeParked(envelope, verify, { stored, confirmed: undefined })).toEqual({ kind: 'undecided' });
});

it('without registration nothing is confirmed while no secret is stored', async () => {
  expect(await createConfirmedByHand({ read: async () => undefined }, () => now).read()).toEqual({});
});

it('without registration a secret counts as confirmed as of the time before it was read', async () => {
  const time = { now };
  const read = async () => {
    time.now += 60_000;
    return stored;
  };
  const { confirmed } = await createConfirmedByHand({ read }, () => time.now).read();
  expect(confirmed?.at).toBe('2026-01-15T12:01:00.000Z');
});
