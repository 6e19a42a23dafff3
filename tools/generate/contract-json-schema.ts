import { z } from 'zod';
import { contractSchema } from '../../contract/schema/contract-schema.ts';

/** A JSON Schema, as zod writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Of a key that stands in files alone: what they extend is joined with them before they are validated. */
export const extendsSchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  description:
    'What this contract goes on from: the name of a preset (contract/presets/<name>.json), or a path that begins with "." or "/". Objects are joined key by key; lists, texts, numbers and null replace what was there.',
};

/** The JSON Schema of a contract that extends none. */
export function wholeSchema(): JsonSchema {
  return z.toJSONSchema(contractSchema, { io: 'input', target: 'draft-2020-12' });
}

/**
 * The JSON Schema of `contract.json` for editors. A contract is complete; a file that extends another may leave out whatever
 * the other says, and a preset, which says nothing of the `service`, whatever its services differ in.
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

/** The schemas of an object's properties, by name. */
export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  if (!isSchema(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]) => (isSchema(inner) ? [[name, inner]] : [])),
  );
}

/** A schema under which anything may be left out: then several forms may fit where just one did. Elements of lists stay whole. */
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
