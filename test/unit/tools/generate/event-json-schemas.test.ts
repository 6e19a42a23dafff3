import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { detailTypes } from '../../../../events/event-types.ts';
import { publishedSchema } from '../../../../functions/publish/bus/details.ts';
import { detailJsonSchema, schemaName } from '../../../../tools/generate/event-json-schemas.ts';

const root = new URL('../../../../', import.meta.url);
const all = Object.values(detailTypes);
const jsonIn = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const exampleOf = (name: string) =>
  z.record(z.string(), z.unknown()).parse(jsonIn(`schemas/examples/${name}.json`));

it('schemas/ has a schema and an example for each detail type, and no other', () => {
  const names = all.map((detailType) => `${schemaName(detailType)}.json`).sort();
  expect(readdirSync(new URL('schemas/examples/', root)).sort()).toEqual(names);
  const files = readdirSync(new URL('schemas/', root)).filter((name) => /^sms-.*\.json$/.test(name));
  expect(files.sort()).toEqual(names);
});

describe.each(all)('%s', (detailType) => {
  const name = schemaName(detailType);
  const example = exampleOf(name);
  const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(detailJsonSchema(detailType))));

  it('has an example as the pipeline makes it, with a fictitious number', () => {
    expect(publishedSchema(detailType).parse(example)).toEqual(example);
    expect(schema.safeParse(example).error).toBeUndefined();
    for (const number of JSON.stringify(example).match(/\+\d{8,}/g) ?? [])
      expect(number).toMatch(/^\+1202555\d{4}$/);
  });

  it('accepts further fields, and rejects missing required ones', () => {
    expect(schema.safeParse({ ...example, addedLater: 1 }).error).toBeUndefined();
    const { eventId: _eventId, ...without } = example;
    expect(schema.safeParse(without).success).toBe(false);
  });
});
