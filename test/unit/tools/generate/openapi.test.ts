import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { matchRoute, routeNames, routes } from '../../../../functions/query/routes.ts';
import { openApiDocument } from '../../../../tools/generate/openapi-document.ts';

const anything = z.record(z.string(), z.unknown());
const parameter = z.looseObject({ in: z.string(), name: z.string(), required: z.boolean().optional() });
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(parameter),
  responses: z.record(z.string(), anything),
});
const documentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.strictObject({ get: operation })),
  security: z.array(anything),
  components: z.looseObject({ securitySchemes: anything, schemas: z.record(z.string(), anything) }),
});

const file = new URL('../../../../docs/openapi.json', import.meta.url);
const document = documentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Every object of the document. */
function* objects(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield anything.parse(value);
  for (const inner of Object.values(value)) yield* objects(inner);
}

function resolve(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((value, key) => anything.parse(value)[key], document);
}

describe('docs/openapi.json', () => {
  it('is up to date with the schemas', () => {
    expect(JSON.parse(JSON.stringify(openApiDocument()))).toEqual(document);
  });

  it('lists the routes of the query API, and no other', () => {
    const operations = Object.entries(document.paths).map(([path, { get }]) => [path, get.operationId]);
    expect(operations).toEqual(routeNames.map((name) => [routes[name].path, name]));
    for (const [path = '', name] of operations) {
      const given = path.replaceAll(/\{\w+\}/g, 'x');
      expect(matchRoute(given)?.name).toBe(name);
    }
  });

  it('names each parameter of a route, those in the path as required', () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      const { parameters, query } = Object.values(routes).find((route) => route.path === path) ?? {};
      const named = (place: string) => get.parameters.filter((one) => one.in === place);
      expect(named('path').map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      expect(named('path').map(({ name }) => name)).toEqual(Object.keys(parameters?.shape ?? {}));
      expect(named('path').every(({ required }) => required)).toBe(true);
      expect(named('query').map(({ name }) => name)).toEqual(Object.keys(query?.shape ?? {}));
      expect(
        named('query')
          .filter(({ required }) => required)
          .map(({ name }) => name),
      ).toEqual(path === '/v1/messages' ? ['state'] : []);
    }
  });

  it('lists every possible response', () => {
    for (const { get } of Object.values(document.paths)) {
      const isOne = get.operationId.startsWith('get') && get.operationId !== 'getTimeline';
      const errors = isOne
        ? ['400', '403', '404', '405', '429', '500', '503']
        : ['400', '403', '405', '429', '500', '503'];
      expect(Object.keys(get.responses)).toEqual(['200', '304', ...errors]);
    }
  });

  it('contains everything that it refers to', () => {
    const references = [...objects(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(resolve(reference), reference).toBeTypeOf('object');
  });

  it('requires signed requests', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const required of document.security)
      for (const scheme of Object.keys(required))
        expect(document.components.securitySchemes).toHaveProperty(scheme);
  });

  it('gives valid examples, with fictitious numbers', () => {
    const media = [...objects(document)].filter((value) => 'example' in value && 'schema' in value);
    expect(media.length).toBeGreaterThan(12);
    for (const { schema, example } of media) {
      const { components } = document;
      const asJsonSchema = JSON.parse(
        JSON.stringify({ ...anything.parse(schema), $defs: components.schemas }).replaceAll(
          '#/components/schemas/',
          '#/$defs/',
        ),
      );
      expect(z.fromJSONSchema(asJsonSchema).safeParse(example).error?.issues).toBeUndefined();
    }
    const numbers = JSON.stringify(document).match(/\+\d{8,}/g) ?? [];
    expect(numbers.length).toBeGreaterThan(5);
    for (const number of numbers) expect(number).toMatch(/^\+1202555\d{4}$/);
  });
});
