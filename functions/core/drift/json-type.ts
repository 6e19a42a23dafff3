/** What a JSON value is, in the words of JSON Schema. */
export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** A value that is not there is null, as expressions give it. */
export function jsonTypeOf(value: unknown): JsonType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : 'null';
}
