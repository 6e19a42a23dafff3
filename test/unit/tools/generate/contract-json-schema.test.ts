import { expect, it } from 'vitest';
import { contractJsonSchema } from '../../../../tools/generate/contract-json-schema.ts';

const { if: condition, then: whole, else: partial } = contractJsonSchema();

/** All values of a key, wherever in the schema. */
function valuesOf(key: string, schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...valuesOf(key, value),
  ]);
}

it('the schema requires a complete contract only without extends', () => {
  expect(condition).toEqual({ type: 'object', required: ['service'], not: { required: ['extends'] } });
  expect(whole).toMatchObject({ required: ['service', 'webhook', 'events', 'statuses', 'samples'] });
  expect(whole).not.toHaveProperty('properties.extends');
});

it('the schema lets a contract with extends leave anything out', () => {
  expect(partial).toHaveProperty('properties.extends.type', 'string');
  expect(partial).not.toHaveProperty('required');
  // Samples replace those of the base as a list: each of them is whole.
  expect(valuesOf('required', partial)).toEqual([
    ['name', 'operation', 'body', 'becomes'],
    ['headers', 'secret', 'receivedAt', 'signed'],
    ['name'],
  ]);
  expect(valuesOf('oneOf', partial)).toEqual([]);
  expect(partial).toMatchObject({ additionalProperties: false });
});
