import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  readSigningSecret,
  signWebhook,
} from '../../../../../functions/automations/forward/standard-webhook.ts';
import { assertProperty } from '../../../../support/property.ts';

const base64 = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('the Standard Webhooks signature', () => {
  it('verifies with the reference library for any body', () => {
    const now = Date.now();
    assertProperty(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.json(), fc.uuid(), (key, json, id) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const headers = signWebhook({ id, body: Buffer.from(json) }, secret, now);
        expect(new Webhook(secret).verify(json, headers)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('covers id, time and body', () => {
    const headers = signWebhook({ id: 'a', body: Buffer.from('{}') }, `whsec_${base64}`, Date.now());
    const verify = (body: string, changed: Record<string, string> = {}) =>
      new Webhook(base64).verify(body, { ...headers, ...changed });
    expect(verify('{}')).toEqual({});
    expect(() => verify('[]')).toThrow();
    expect(() => verify('{}', { 'webhook-id': 'b' })).toThrow();
    expect(() =>
      verify('{}', { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }),
    ).toThrow();
  });

  it('has the time in whole seconds', () => {
    const headers = signWebhook({ id: 'a', body: Buffer.from('{}') }, `whsec_${base64}`, 1_768_478_400_999);
    expect(headers['webhook-timestamp']).toBe('1768478400');
  });
});

describe('the Standard Webhooks secret', () => {
  it.each([
    ['JSON', JSON.stringify({ secret: base64 })],
    ['JSON with the prefix', JSON.stringify({ secret: `whsec_${base64}` })],
    ['JSON with more in it', JSON.stringify({ note: 'x', secret: ` ${base64}\n` })],
    ['a text with the prefix', `whsec_${base64}`],
    ['a text with a line end', `whsec_${base64}\n`],
  ])('is read from %s', (_, stored) => {
    expect(readSigningSecret(stored)).toBe(`whsec_${base64}`);
  });

  it.each([
    '',
    base64,
    'whsec_',
    'whsec_not base64!',
    '{}',
    '{"secret":""}',
    '{"secret":7}',
    '{"secret":"not base64!"}',
    '[]',
    'null',
    '"whsec"',
  ])('is not found in %j', (stored) => {
    expect(readSigningSecret(stored)).toBeUndefined();
  });
});
