import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMapper } from '../../contract/events/mapping.ts';
import { fieldContract } from '../support/field-contract.ts';
import { assertProperty } from '../support/property.ts';

/*
 * The promise: a value is read exactly, or kept as received and shown as unread.
 *
 * Given are requests with any bytes as text, in the encodings that services use. What must hold: the event has the exact text, or the request is in
 * quarantine. The folder test/field has the numbers, times and texts of services as people reported them.
 */

const contract = (bodyFormat: 'form' | 'json', text: string, charset?: string) =>
  fieldContract({
    webhook: { bodyFormat, ...(charset !== undefined && { charset }) },
    events: {
      kind: "'sms.reply'",
      id: { from: 'body', path: 'id' },
      status: { messageId: 'id', status: 'status', occurredAt: null },
      reply: { replyId: 'id', from: 'from', text, occurredAt: null },
    },
  });

/** The text that the pipeline reads; undefined if the event goes to quarantine. */
function readText(map: ReturnType<typeof createMapper>, body: Uint8Array | string): string | undefined {
  const [mapped, ...others] = map(Buffer.from(body), undefined, '2026-01-15T12:00:00.000Z');
  expect(others).toEqual([]);
  return mapped?.kind === 'event' && mapped.event.kind === 'sms.reply' ? mapped.event.text : undefined;
}

const head = 'id=1&from=%2B12025550143&text=';
const percent = (bytes: Uint8Array) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const bytes = fc.uint8Array({ maxLength: 40 });

/** Text of a charset as bytes, by an implementation that is not the one under test. */
const writers = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-16le': (text: string) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(text, 'utf16le').swap16(),
} as const;
/** Well-formed text, also with characters beyond 16 bits and a byte order mark. */
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\ufeffa', '�', 'Arrêt 🛑', '\0'));

describe('the text of a reply', () => {
  it.each(['raw', 'escaped'])('is exact or in quarantine for any bytes of a form in UTF-8: %s', (way) => {
    const map = createMapper(contract('form', 'text'));
    assertProperty(
      fc.property(bytes, (value) => {
        fc.pre(way === 'escaped' || !value.some((byte) => '%&+='.includes(String.fromCharCode(byte))));
        const body =
          way === 'raw' ? Buffer.concat([Buffer.from(head), value]) : Buffer.from(head + percent(value));
        const read = readText(map, body);
        const isText = Buffer.from(value).toString() === new TextDecoder('utf-8').decode(value);
        expect(read === undefined || Buffer.from(read).equals(value)).toBe(true);
        // Bytes that are text are never refused.
        if (isText && Buffer.from(Buffer.from(value).toString()).equals(value)) expect(read).toBeDefined();
      }),
    );
  });

  it('is exact or in quarantine for any bytes of a JSON body', () => {
    const map = createMapper(contract('json', 'text'));
    const [before, after] = ['{"id":"1","from":"+12025550143","text":"', '"}'].map((part) =>
      Buffer.from(part),
    );
    assertProperty(
      fc.property(bytes, (value) => {
        fc.pre(!value.some((byte) => byte === 0x22 || byte === 0x5c));
        const read = readText(map, Buffer.concat([before ?? value, value, after ?? value]));
        expect(read === undefined || Buffer.from(read).equals(value)).toBe(true);
      }),
    );
  });

  it.each(['utf-16be', 'utf-16le', 'utf-8'] as const)(
    'is exact in %s, percent- and hex-encoded',
    (charset) => {
      const named = createMapper(contract('json', `percent_decode(text, '${charset}')`));
      const hex = createMapper(contract('json', `hex_decode(text, '${charset}')`));
      assertProperty(
        fc.property(texts, (text) => {
          const written = writers[charset](text);
          const body = (value: string) => JSON.stringify({ id: '1', from: '+12025550143', text: value });
          expect(readText(named, body(percent(written)))).toBe(text);
          expect(readText(hex, body(written.toString('hex')))).toBe(text);
        }),
      );
    },
  );

  it('is exact or in quarantine for any text in base64', () => {
    const map = createMapper(contract('json', 'powertools_base64(text)'));
    assertProperty(
      fc.property(bytes, (value) => {
        const text = Buffer.from(value).toString('base64');
        const read = readText(map, JSON.stringify({ id: '1', from: '+12025550143', text }));
        expect(read === undefined || Buffer.from(read).equals(value)).toBe(true);
      }),
    );
  });

  it('in windows-1252 has the characters of the standard, also where Latin-1 has none', () => {
    const map = createMapper(contract('form', 'text', 'windows-1252'));
    expect(readText(map, `${head}%80+%92+%E9+%FF`)).toBe('€ ’ é ÿ');
    expect(readText(createMapper(contract('form', 'text', 'ISO-8859-1')), `${head}%E9`)).toBe('é');
  });

  it('may be JSON in a field of a form', () => {
    const map = createMapper(contract('form', 'powertools_json(text).words'));
    expect(readText(map, head + encodeURIComponent('{"words":"Stop!"}'))).toBe('Stop!');
    expect(readText(map, `${head}no+json`)).toBeUndefined();
  });

  it('of compressed base64 is read up to a limit', async () => {
    const { gzipSync } = await import('node:zlib');
    const map = createMapper(contract('json', 'powertools_base64_gzip(text)'));
    const body = (text: string) =>
      JSON.stringify({ id: '1', from: '+12025550143', text: gzipSync(text).toString('base64') });
    expect(readText(map, body('STOP'))).toBe('STOP');
    expect(readText(map, body('x'.repeat(2 * 1024 * 1024)))).toBeUndefined();
  });
});
