import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shapeOf } from '../../../../contract/drift/drift-watch.ts';
import { assertProperty } from '../../../support/property.ts';

const shape = (value: unknown): unknown => JSON.parse(shapeOf(value));

it('shapeOf lists the keys of an event and the types of its values', () => {
  const event = {
    type: 'sms.status',
    test: false,
    data: { id: 7, to: null, tags: ['a', 'b'], empty: [], parts: [{ n: 1 }, { other: 2 }] },
  };
  expect(shape(event)).toEqual({
    type: 'string',
    test: 'boolean',
    data: { id: 'number', to: 'null', tags: ['string'], empty: [], parts: [{ n: 'number' }] },
  });
  expect(shapeOf('text')).toBe('"string"');
});

it('shapeOf hides keys that may be personal data, such as numbers', () => {
  expect(shape({ '+12025550143': { ok: true }, 'someone@example.com': 1, plain: 2 })).toEqual({
    '*': 'number',
    plain: 'number',
  });
});

it('shapeOf ends at six levels and at 200 keys', () => {
  expect(shape({ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } })).toEqual({
    a: { b: { c: { d: { e: { f: '...' } } } } },
  });
  expect(shape([[[[[['deep', [1]]]]]]])).toEqual([[[[[['string']]]]]]);
  expect(shape([[[[[[[1]]]]]]])).toEqual([[[[[['...']]]]]]);
  const keys = Object.keys(
    Object(shape(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])))),
  );
  expect(keys).toHaveLength(201);
  expect(keys.at(-1)).toBe('...');
});

it('shapeOf shows no value and stays small for any event', () => {
  const secret = fc.constantFrom('+12025550143', 'the text of a message');
  assertProperty(
    fc.property(
      fc.object({ maxDepth: 8, maxKeys: 30, values: [secret], key: fc.oneof(secret, fc.string()) }),
      (event) => {
        const text = shapeOf(event);
        expect(text).not.toMatch(/2025550143/);
        expect(text).not.toContain(':"the text');
        expect(Buffer.byteLength(text)).toBeLessThan(6000);
      },
    ),
  );
  const long = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`${'x'.repeat(37)}${n}`, { a: [] }]),
  );
  expect(Buffer.byteLength(shapeOf(long))).toBeLessThan(6000);
});
