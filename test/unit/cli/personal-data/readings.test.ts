import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflate, maxInflatedBytes } from '../../../../cli/personal-data/readings.ts';

const text = 'to +12025550143, '.repeat(500);
const textOf = (bytes: Uint8Array) => Buffer.from(inflate(bytes) ?? []).toString();

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

  it('with too much content is read from its beginning, up to the limit', () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('+12025550143'), Buffer.alloc(4 * maxInflatedBytes)]));
    expect(bomb.length).toBeLessThan(256 * 1024);
    const inflated = inflate(bomb);
    expect(
      Buffer.from(inflated ?? [])
        .subarray(0, 12)
        .toString(),
    ).toBe('+12025550143');
    expect(inflated?.length).toBeLessThanOrEqual(maxInflatedBytes);
    expect(inflated?.length).toBeGreaterThan(maxInflatedBytes / 4);
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
