import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeEnvelope, encodeEnvelope } from '../../../functions/core/envelope.ts';

const envelope = {
  requestId: 'req-1',
  receivedAt: '2026-01-15T12:00:05.000Z',
  signedId: 'evt_1',
  body: Buffer.from('{}'),
};

it('brings any bytes through as text that SQS takes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = encodeEnvelope({ ...envelope, body: bytes });
      expect(text).toMatch(/^[\x20-\x7e]+$/);
      expect(Buffer.from(decodeEnvelope(text)?.body ?? []).equals(bytes)).toBe(true);
    }),
  );
  expect(decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
});

it('goes without a signed id', () => {
  const { signedId, ...rest } = envelope;
  expect(decodeEnvelope(encodeEnvelope(rest))).toEqual(rest);
});

it.each([
  '',
  'text',
  'null',
  '[]',
  '7',
  '{}',
  '{"version":2,"requestId":"r","receivedAt":"t","bodyBase64":""}',
  '{"version":1,"receivedAt":"t","bodyBase64":""}',
  '{"version":1,"requestId":"r","bodyBase64":""}',
  '{"version":1,"requestId":"r","receivedAt":"t"}',
  '{"version":1,"requestId":"r","receivedAt":"t","bodyBase64":"","signedId":7}',
])('refuses %j', (text) => {
  expect(decodeEnvelope(text)).toBeUndefined();
});
