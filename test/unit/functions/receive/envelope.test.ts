import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEnvelope, encodeEnvelope, unverifiedRequest } from '../../../../functions/receive/envelope.ts';
import { assertProperty } from '../../../support/property.ts';

const envelope = {
  requestId: 'req-1',
  receivedAt: '2026-01-15T12:00:05.000Z',
  signedId: 'evt_1',
  body: Buffer.from('{}'),
};
const unverified = { headers: { 'webhook-id': 'evt_1' }, url: 'https://example.test/webhooks/sms?a=1' };
const captured = { method: 'POST', ...unverified };

/** Any text a JavaScript string can be: with what SQS refuses, and with halves of surrogate pairs. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

it('an envelope preserves any bytes as text that SQS accepts', () => {
  assertProperty(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = encodeEnvelope({ ...envelope, body: bytes });
      expect(text).toMatch(/^[\x20-\x7e]+$/);
      expect(Buffer.from(decodeEnvelope(text)?.body ?? []).equals(bytes)).toBe(true);
    }),
  );
  expect(decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
});

it('an envelope preserves a parked request with any headers and URL', () => {
  const headers = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('__proto__', 'webhook-id'), anyText), anyText))
    .map((entries) => Object.fromEntries(entries));
  assertProperty(
    fc.property(headers, anyText, fc.uint8Array(), (given, url, body) => {
      const { signedId, ...rest } = envelope;
      const parked = { ...rest, body, unverified: { headers: given, url } };
      const text = encodeEnvelope(parked);
      expect(text).toMatch(/^[\x20-\x7e]+$/);
      const decoded = decodeEnvelope(text);
      expect(decoded?.unverified).toEqual(parked.unverified);
      expect(Buffer.from(decoded?.body ?? []).equals(body)).toBe(true);
      expect(decoded?.signedId).toBeUndefined();
    }),
  );
});

it('an envelope preserves a captured request, a redriven one, and the hash of the contract', () => {
  const { signedId, ...rest } = envelope;
  for (const parts of [
    { captured },
    { captured, contract: '0123456789ab' },
    { unverified: { ...captured, masked: true as const } },
    { contract: '0123456789ab' },
    { method: 'POST', query: 'a=ä&b', path: 'm-17/delivered' },
  ])
    expect(decodeEnvelope(encodeEnvelope({ ...rest, ...parts }))).toEqual({ ...rest, ...parts });
});

describe('a captured request', () => {
  it('is always marked as captured, and is of no other kind', () => {
    const { captured: _, ...parts }: Record<string, unknown> = JSON.parse(
      encodeEnvelope({ ...envelope, captured }),
    );
    const { method, ...noMethod } = captured;
    for (const altered of [
      parts,
      { ...parts, version: 1, captured },
      { ...parts, version: 2, captured },
      { ...parts, captured: null },
      { ...parts, captured: noMethod },
      { ...parts, captured: { ...captured, method: 1 } },
      { ...parts, captured: { ...captured, headers: { a: 1 } } },
      { ...parts, captured, contract: 1 },
      { ...parts, version: 2, unverified: { ...unverified, masked: 'yes' } },
      { ...parts, version: 2, unverified: { ...unverified, masked: false } },
      { ...parts, version: 2, unverified: { ...unverified, method: 1 } },
    ])
      expect(decodeEnvelope(JSON.stringify(altered))).toBeUndefined();
  });
});

it('has no signed id', () => {
  const { signedId, ...rest } = envelope;
  expect(decodeEnvelope(encodeEnvelope(rest))).toEqual(rest);
});

describe('a parked request', () => {
  const version = (text: string): unknown => JSON.parse(text).version;

  it('is rejected by a reader of the first version, which would store it unverified', () => {
    expect(version(encodeEnvelope(envelope))).toBe(1);
    expect(version(encodeEnvelope({ ...envelope, unverified }))).toBe(2);
    expect(version(encodeEnvelope({ ...envelope, captured }))).toBe(3);
  });

  it('is always marked as parked', () => {
    const parts: Record<string, unknown> = JSON.parse(encodeEnvelope({ ...envelope, unverified }));
    const { unverified: _, ...stripped } = parts;
    for (const altered of [
      stripped,
      { ...parts, version: 1 },
      { ...parts, unverified: null },
      { ...parts, unverified: [] },
      { ...parts, unverified: { headers: {} } },
      { ...parts, unverified: { url: '' } },
      { ...parts, unverified: { url: '', headers: null } },
      { ...parts, unverified: { url: '', headers: { a: 1 } } },
    ])
      expect(decodeEnvelope(JSON.stringify(altered))).toBeUndefined();
  });
});

it.each([
  '',
  'text',
  'null',
  '[]',
  '7',
  '{}',
  '{"version":2,"requestId":"r","receivedAt":"2026-01-15T12:00:05.000Z","bodyBase64":""}',
  '{"version":1,"receivedAt":"2026-01-15T12:00:05.000Z","bodyBase64":""}',
  '{"version":1,"requestId":"r","bodyBase64":""}',
  '{"version":1,"requestId":"r","receivedAt":"2026-01-15T12:00:05.000Z"}',
  '{"version":1,"requestId":"r","receivedAt":"2026-01-15T12:00:05.000Z","bodyBase64":"","signedId":7}',
  '{"version":1,"requestId":"r","receivedAt":"yesterday","bodyBase64":""}',
  '{"version":1,"requestId":"r","receivedAt":"2026-01-15T12:00:05Z","bodyBase64":""}',
  '{"version":1,"requestId":"r","receivedAt":1768478405000,"bodyBase64":""}',
])('an envelope is rejected if it is %j', (text) => {
  expect(decodeEnvelope(text)).toBeUndefined();
});

it('an envelope keeps only the named headers of a request, in any letter case', () => {
  const headers = { 'Webhook-ID': 'evt_1', authorization: 'x', 'webhook-timestamp': undefined };
  const url = 'https://example.test/webhooks/sms';
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  expect(unverifiedRequest({ headers, url }, names)).toEqual({ headers: { 'webhook-id': 'evt_1' }, url });
});
