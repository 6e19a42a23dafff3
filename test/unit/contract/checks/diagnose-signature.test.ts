import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { diagnoseSignature } from '../../../../contract/checks/diagnose-signature.ts';
import type { SignatureContract } from '../../../../contract/schema/contract-schema.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { contracts, nestedContract, shippedContract } from '../../../../tools/support/contracts.ts';

const sentAt = Date.parse('2026-01-15T12:00:05.000Z');
const url = 'https://hooks.example.com/sms';
const body = Buffer.from('{}');

describe.each(contracts)('diagnoseSignature, by the $name contract', ({ contract, secret }) => {
  const headers = signRequest(contract.webhook.signature, { body, id: 'evt-1', now: sentAt, url }, secret);

  it('verifies a signed request, also without a time of receipt', () => {
    expect(diagnoseSignature(contract, { headers, body, url }, [secret], sentAt).kind).toBe('verified');
    expect(diagnoseSignature(contract, { headers, body, url }, [secret], undefined).kind).toBe('verified');
  });

  it('distinguishes a missing secret from one that does not match', () => {
    expect(diagnoseSignature(contract, { headers, body, url }, [], sentAt).kind).toBe('no-secret');
    const other = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';
    expect(diagnoseSignature(contract, { headers, body, url }, [other], sentAt).kind).toBe('mismatch');
  });
});

const { signature } = shippedContract.webhook;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const headers = signRequest(signature, { body, id: 'evt-1', now: sentAt, url }, secret);

function check(changed: Record<string, string | undefined>, receivedAt = sentAt, secrets = [secret]) {
  return diagnoseSignature(
    shippedContract,
    { headers: { ...headers, ...changed }, body, url },
    secrets,
    receivedAt,
  );
}

describe('diagnoseSignature, of a rejected request', () => {
  it('names the missing headers', () => {
    expect(check({ 'webhook-id': undefined })).toEqual({ kind: 'missing', headers: ['webhook-id'] });
    expect(diagnoseSignature(nestedContract, { headers: {}, body, url }, ['x'], sentAt)).toEqual({
      kind: 'missing',
      headers: ['authorization'],
    });
  });

  it('reports an id that contains the text beside it in the signed content', () => {
    expect(check({ 'webhook-id': 'evt.1' })).toEqual({ kind: 'ambiguous-content' });
  });

  it('reports an invalid timestamp, and one outside the window', () => {
    expect(check({ 'webhook-timestamp': 'soon' })).toEqual({ kind: 'timestamp-invalid' });
    expect(check({}, sentAt + 301_000)).toEqual({
      kind: 'outside-window',
      sentAt: '2026-01-15T12:00:05.000Z',
    });
  });

  it('reports a secret that is not written as the contract requires', () => {
    expect(check({}, sentAt, ['whsec_not base64'])).toEqual({ kind: 'unusable-secret' });
  });
});

it('diagnoseSignature accepts any sender if nothing is signed', () => {
  const webhook = {
    ...shippedContract.webhook,
    signature: { scheme: 'none' as const, anyoneMayPost: true as const },
  };
  expect(diagnoseSignature({ webhook }, { headers: {}, body, url }, [], undefined)).toEqual({
    kind: 'not-signed',
  });
});

it('diagnoseSignature reads the time of a token from its claims', () => {
  const scheme: SignatureContract = {
    scheme: 'jwt',
    algorithm: 'HS256',
    header: 'authorization',
    prefix: 'Bearer ',
    secret: { encoding: 'utf8', prefix: '' },
    payloadHash: { claim: 'payload_hash', algorithm: 'sha256', encoding: 'hex' },
    urlHash: null,
    id: null,
    timestamp: { claim: 'iat', toleranceSeconds: 300 },
  };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenOf = (iat: unknown) => {
    const payload_hash = createHash('sha256').update(body).digest('hex');
    const text = `${part({ alg: 'HS256' })}.${part({ iat, payload_hash })}`;
    return `Bearer ${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`;
  };
  const result = (authorization: string, receivedAt?: number) =>
    diagnoseSignature(
      { webhook: { ...shippedContract.webhook, signature: scheme } },
      { headers: { authorization }, body, url },
      ['secret'],
      receivedAt,
    );
  expect(result(tokenOf(sentAt / 1000)).kind).toBe('verified');
  expect(result(tokenOf(sentAt / 1000), sentAt + 301_000)).toEqual({
    kind: 'outside-window',
    sentAt: '2026-01-15T12:00:05.000Z',
  });
  expect(result(tokenOf('now')).kind).toBe('timestamp-invalid');
  expect(result(tokenOf(1e300)).kind).toBe('outside-window');
  expect(result('Bearer text').kind).toBe('mismatch');
});
