import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflate, maxInflatedBytes, maxInflatedRatio } from '../../../../cli/personal-data/readings.ts';

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

  it('that is small inflates only in proportion to its size', () => {
    const bomb = gzipSync(`+12025550143${'1 2 3 '.repeat(1_000_000)}`);
    const { bytes, isWhole } = inflate(bomb) ?? { bytes: Buffer.alloc(0) };
    expect(isWhole).toBe(false);
    expect(Buffer.from(bytes.subarray(0, 12)).toString()).toBe('+12025550143');
    expect(bytes.length).toBeLessThanOrEqual(maxInflatedRatio * bomb.length);
  });

  it('is whole below these limits, also if it is damaged', () => {
    const body = gzipSync(text);
    expect(inflate(body)?.isWhole).toBe(true);
    expect(inflate(body.subarray(0, -20))?.isWhole).toBe(true);
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
