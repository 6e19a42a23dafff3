import { expect, it } from 'vitest';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { maskCredential, verifyKept } from '../../../../contract/signature/webhook-request.ts';
import { nestedContract } from '../../../../tools/support/contracts.ts';

const verify = createVerifier(nestedContract.webhook.signature, postedJson);
const token = 'Token a-token';
const masked = maskCredential(token, 'salt');

it.each([
  ['captured and masked', masked, { masked: true }, true],
  ['captured and not taken for a credential', token, { masked: true }, true],
  ['captured with another token', maskCredential('Token other', 'salt'), { masked: true }, false],
  ['as it came', token, {}, true],
  ['not captured, though it looks masked', masked, {}, false],
])('verifyKept verifies a request that was %s', (_, authorization, fields, verified) => {
  const request = { headers: { authorization }, body: Buffer.from('{}'), url: 'https://x.test/', ...fields };
  expect(verifyKept(verify, request, ['a-token'], 0).kind).toBe(verified ? 'verified' : 'rejected');
});
