import { z } from 'zod';
import { contractSchema } from '../../contract/schema/contract-schema.ts';

/** A JSON Schema as zod writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a key that only files hold: a contract is merged with what it extends before it is validated. */
export const extendsSchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  description:
    'The base: a preset, or a path that begins with "." or "/". Objects are merged by key, and all else replaces.',
};

/** Makes the JSON Schema of a contract that extends no other. */
export function wholeSchema(): JsonSchema {
  return z.toJSONSchema(contractSchema, { io: 'input', target: 'draft-2020-12' });
}

/**
 * Makes the JSON Schema of `contract.json` for editors. A contract is complete. A file that extends another one may leave out what the other
 * holds. A preset has no `service`, and may leave out what differs between its services.
 */
export function contractJsonSchema(): JsonSchema {
  const { $schema, $defs, title, description, ...whole } = wholeSchema();
  const { properties, ...rest } = withoutRequired(whole);
  return {
    $schema,
    title,
    description,
    if: { type: 'object', required: ['service'], not: { required: ['extends'] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: whole,
    else: { ...rest, properties: { extends: extendsSchema, ...propertiesOf({ properties }) } },
    $defs,
  };
}

/** Returns the schemas of an object's properties, by name. */
export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  if (!isSchema(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]) => (isSchema(inner) ? [[name, inner]] : [])),
  );
}

/** Makes every property optional, except in elements of lists. Then several forms may fit, so oneOf becomes anyOf. */
function withoutRequired(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => key !== 'required');
  return Object.fromEntries(
    kept.map(([key, value]) => [key === 'oneOf' ? 'anyOf' : key, key === 'items' ? value : loosened(value)]),
  );
}

function loosened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loosened);
  return isSchema(value) ? withoutRequired(value) : value;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
