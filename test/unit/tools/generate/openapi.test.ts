import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { matchRoute, methodsOf, routeNames, routes } from '../../../../functions/query/api/routes/routes.ts';
import { openApiDocument } from '../../../../tools/generate/openapi-document.ts';

const anything = z.record(z.string(), z.unknown());
const operation = z.looseObject({ operationId: z.string() });
const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.union([z.strictObject({ get: operation }), z.strictObject({ post: operation })]),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), anything) }),
});

const document = documentSchema.parse(JSON.parse(JSON.stringify(openApiDocument())));

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

describe('the OpenAPI document', () => {
  it('lists the routes of the query API, those of a console, and no other', () => {
    const operations = Object.entries(document.paths).map(([path, methods]) => {
      const [[method = '', { operationId }] = ['', { operationId: '' }]] = Object.entries(methods);
      return [path, operationId, method.toUpperCase()];
    });
    const queries = routeNames.map((name) => [routes[name].path, name, methodsOf(name)[0]]);
    expect(operations).toEqual([
      ...queries,
      ['/v1/health', 'getHealth', 'GET'],
      ['/v1/quarantine/{entryId}/replay', 'replayQuarantineEntry', 'POST'],
    ]);
    for (const [path = '', name] of queries) {
      const given = path.replaceAll(/\{\w+\}/g, 'x');
      expect(matchRoute(given)?.name).toBe(name);
    }
  });

  it('contains everything that it refers to', () => {
    const references = [...objects(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(resolve(reference), reference).toBeTypeOf('object');
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
