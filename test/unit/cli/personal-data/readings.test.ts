import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  inflate,
  maxInflatedBytes,
  maxInflatedRatio,
  minInflatedLimit,
} from '../../../../cli/personal-data/readings.ts';

const text = Array.from({ length: 500 }, (_, index) => `to +12025550143, ${index * 7919} `).join('');
const textOf = (bytes: Uint8Array) => Buffer.from(inflate(bytes)?.bytes ?? []).toString();

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['zlib', deflateSync(text)],
    ['gzip of two members', Buffer.concat([gzipSync(text.slice(0, 4000)), gzipSync(text.slice(4000))])],
  ])('is read: %s', (_, body) => {
    expect(textOf(body)).toBe(text);
  });

  it.each([
    ['cut off', (body: Buffer) => body.subarray(0, body.length - 20)],
    ['with a wrong checksum', (body: Buffer) => Buffer.concat([body.subarray(0, -8), Buffer.alloc(8)])],
  ])('is read as far as it goes: %s', (_, spoil) => {
    expect(textOf(spoil(gzipSync(text)))).toContain('+12025550143');
  });

  it('with too much content is read from its beginning, up to the limit, and is not whole', () => {
    const zeros = Buffer.alloc(maxInflatedBytes / 32);
    const blocks = Array.from({ length: 64 }, () => [randomBytes(4500), zeros]);
    const bomb = gzipSync(Buffer.concat([Buffer.from('+12025550143'), ...blocks.flat()]));
    expect(bomb.length).toBeGreaterThan(maxInflatedBytes / maxInflatedRatio);
    const { bytes, isWhole } = inflate(bomb) ?? { bytes: Buffer.alloc(0) };
    expect(isWhole).toBe(false);
    expect(Buffer.from(bytes.subarray(0, 12)).toString()).toBe('+12025550143');
    expect(bytes.length).toBeLessThanOrEqual(maxInflatedBytes);
    expect(bytes.length).toBeGreaterThan(maxInflatedBytes / 4);
  });

  it('that is small inflates to 1 MiB, whatever the proportion', () => {
    const reports = Array.from({ length: 2500 }, (_, index) => ({
      bulkId: 'bulk-1',
      messageId: `order-${1_000_000 + index}`,
      to: '12025550143',
      sentAt: '2026-01-15T12:00:05.000+0000',
      doneAt: '2026-01-15T12:00:05.000+0000',
      smsCount: 1,
      price: { pricePerMessage: 0.01, currency: 'EUR' },
      status: { groupId: 3, groupName: 'DELIVERED', id: 5, name: 'DELIVERED_TO_HANDSET' },
      error: { groupId: 0, groupName: 'OK', id: 0, name: 'NO_ERROR', permanent: false },
    }));
    const batch = JSON.stringify({ results: reports });
    const body = gzipSync(batch);
    expect(batch.length).toBeGreaterThan(maxInflatedRatio * body.length);
    expect(inflate(body)?.isWhole).toBe(true);
    expect(textOf(body)).toBe(batch);
    const most = 'x'.repeat(minInflatedLimit);
    expect(inflate(gzipSync(most))?.isWhole).toBe(true);
    expect(inflate(gzipSync(`${most}x`))?.isWhole).toBe(false);
  });

  it('inflates to more than that only in proportion to its size', () => {
    const bomb = gzipSync(`+12025550143${'1 2 3 '.repeat(2_000_000)}`);
    const { bytes, isWhole } = inflate(bomb) ?? { bytes: Buffer.alloc(0) };
    expect(isWhole).toBe(false);
    expect(Buffer.from(bytes.subarray(0, 12)).toString()).toBe('+12025550143');
    expect(bytes.length).toBeLessThanOrEqual(Math.max(minInflatedLimit, maxInflatedRatio * bomb.length));
  });
});

describe('a compressed body that is damaged', () => {
  const flushed = { finishFlush: constants.Z_SYNC_FLUSH };
  /** No block of deflate begins like this. */
  const noBlock = Buffer.alloc(3000, 0xff);

  it('is whole if it is cut off, and all that is left can be read', () => {
    expect(inflate(gzipSync(text).subarray(0, -20))?.isWhole).toBe(true);
  });

  it.each([
    ['gzip', gzipSync(text), 8],
    ['zlib', deflateSync(text), 4],
  ])('is read to the last byte if only the checksum is wrong: %s', (_, body, trailer) => {
    const damaged = Buffer.concat([body.subarray(0, -trailer), Buffer.alloc(trailer)]);
    expect(inflate(damaged)?.isWhole).toBe(true);
    expect(textOf(damaged)).toBe(text);
  });

  it.each([
    ['gzip', Buffer.concat([gzipSync(text, flushed), noBlock])],
    ['zlib', Buffer.concat([deflateSync(text, flushed), noBlock])],
    ['gzip of two members', Buffer.concat([gzipSync(text), gzipSync('').subarray(0, 2), noBlock])],
  ])('is not whole if only its beginning can be read: %s', (_, damaged) => {
    const { bytes, isWhole } = inflate(damaged) ?? { bytes: Buffer.alloc(0) };
    expect(isWhole).toBe(false);
    expect(Buffer.from(bytes).toString()).toContain('+12025550143');
  });

  it.each([
    ['gzip', Buffer.concat([gzipSync(text).subarray(0, 10), noBlock])],
    ['zlib', Buffer.concat([deflateSync(text).subarray(0, 2), noBlock])],
  ])('is not whole if nothing can be read: %s', (_, damaged) => {
    expect(inflate(damaged)).toEqual({ bytes: new Uint8Array(), isWhole: false });
  });
});

it.each([
  ['text', Buffer.from('{"to":"+12025550143"}')],
  ['nothing', Buffer.alloc(0)],
  ['Brotli, which nothing marks', brotliCompressSync(text)],
])('is undefined for what is not compressed: %s', (_, body) => {
  expect(inflate(body)).toBeUndefined();
});

it.each([
  ['text that begins as zlib does', Buffer.from('x\u0001 is no zlib')],
  ['a header of gzip alone', gzipSync('').subarray(0, 4)],
])('holds no text where only the beginning looks compressed: %s', (_, body) => {
  expect(textOf(body)).toBe('');
});

it('does not take a text that begins as zlib does for a damaged body', () => {
  const plain = Buffer.from('x^ this begins as zlib does, and is a text with +12025550143');
  expect(inflate(plain)?.isWhole).not.toBe(false);
});
