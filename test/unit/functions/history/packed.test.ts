import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses, rankOf } from '../../../../contract/schema/sms-event.ts';
import {
  codeOf,
  packEntry,
  packId,
  packNumber,
  statusOf,
  UnreadableItemError,
  unpackEntry,
  unpackId,
  unpackNumber,
} from '../../../../functions/history/packed.ts';
import { assertProperty } from '../../../support/property.ts';

const text = fc.string({ unit: 'binary' });
const word = fc.stringMatching(/^[\w-]{1,40}$/);
const ids = fc.oneof(
  text,
  word,
  word.map((rest) => `msg_${rest}`),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.stringMatching(/^[\da-f]{16,64}$/),
  fc.constantFrom('', 'msg_', '-', 'A', 'AAAA', 'msg_AAAA'),
);

describe('a packed id', () => {
  it('is read back, and differs from that of any other id', async () => {
    await assertProperty(
      fc.property(ids, ids, (a, b) => {
        expect(unpackId(packId(a))).toBe(a);
        expect(Buffer.compare(packId(a), packId(b)) === 0).toBe(a === b);
      }),
    );
  });

  it.each([
    ['0b0e6c5e-9f0a-4c3e-8f57-0d6a3f9f5a11', 17],
    ['msg_2b9sKq4xWcVtTn0dY7pLr3HfZQa', 21],
    ['sha256-like'.padEnd(16, 'x'), 15],
    ['a'.repeat(64), 33],
  ])('%s takes %i bytes', (id, bytes) => {
    expect(packId(id)).toHaveLength(bytes);
  });

  it('shows its id in base64', () => {
    expect(Buffer.from(packId('msg_2b9sKq4xWcVtTn0dY7pLr3HfZQa')).toString('base64')).toMatch(
      /^2b9sKq4xWcVtTn0dY7pLr3HfZQa/,
    );
  });

  it.each([[[]], [[1, 2, 3, 9]], [[1, 255]]])('of %j, which nothing packs, is unreadable', (bytes) => {
    expect(() => unpackId(Uint8Array.from(bytes))).toThrow(UnreadableItemError);
  });
});

describe('a packed number', () => {
  it('is read back, whatever it is', async () => {
    const numbers = fc.oneof(text, fc.stringMatching(/^\+[1-9]\d{6,14}$/));
    await assertProperty(
      fc.property(numbers, (number) => {
        expect(unpackNumber(packNumber(number))).toBe(number);
      }),
    );
  });

  it('in E.164 takes half a byte for each digit', () => {
    expect(Buffer.from(packNumber('+12025550143')).toString('hex')).toBe('12025550143f');
    expect(Buffer.from(packNumber('+442079460000')).toString('hex')).toBe('442079460000');
  });
});

describe('a packed entry', () => {
  it('is read back, with times of any year, in any order', async () => {
    const times = fc
      .oneof(
        fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
        fc.integer({ min: 0, max: Date.UTC(9999, 0) }),
      )
      .map((milliseconds) => new Date(milliseconds).toISOString());
    const fields = fc.dictionary(fc.constantFrom('w', 'c', 'x', 's'), text);
    const entries = fc.record({
      code: fc.constantFrom('d', 's', '-'),
      occurredAt: times,
      receivedAt: times,
      fields,
    });
    await assertProperty(
      fc.property(entries, (entry) => {
        const { fields: read, ...rest } = unpackEntry(packEntry(entry));
        expect({ ...rest, fields: { ...read } }).toEqual({ ...entry, fields: { ...entry.fields } });
      }),
    );
  });

  it('is short, and can be read in SQL', () => {
    const [occurredAt, receivedAt] = ['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.431Z'];
    expect(packEntry({ code: 'd', occurredAt, receivedAt, fields: {} })).toBe('dmkfedmo0bz');
  });

  it.each(['', 'd', 'dmkfffxc0{"w":}', 'dmkfffxc0 "'])(
    'of %j, which nothing packs, is unreadable',
    (packed) => {
      expect(() => unpackEntry(packed)).toThrow(UnreadableItemError);
    },
  );
});

it('every canonical status has a code of its own, which a change of its rank or another word has not', () => {
  const codes = canonicalStatuses.map((status) => codeOf(status, rankOf(status)));
  expect(new Set(codes).size).toBe(canonicalStatuses.length);
  expect(codes.map(statusOf)).toEqual(canonicalStatuses);
  expect([codeOf('sent', 31), codeOf('SENT', 0)]).toEqual(['-', '-']);
  expect(() => statusOf('-')).toThrow(UnreadableItemError);
});
