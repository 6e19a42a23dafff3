import { Option } from 'commander';
import * as z from 'zod';
import { isObject } from '../../contract/text/json.ts';
import { UsageError } from '../target/errors.ts';
import type { Command } from './command.ts';

/** The value of --json: a whole document, or only these of its fields. */
export type JsonFields = true | readonly string[];

export interface JsonOptions {
  readonly json?: JsonFields;
}

export interface CsvOptions {
  readonly csv?: true;
}

/** Adds `--csv`, for lists. */
export function addCsvOption(command: Command): Command {
  return command.addOption(
    new Option('--csv', 'CSV with a header (RFC 4180), numbers in full').conflicts('json'),
  );
}

/** Adds `--json [fields]`. The fields are those of the schema that the command is explained with. */
export function addJsonOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--json [fields]',
      'one JSON document, numbers in full; or only these fields, by commas',
    ).argParser((text) => {
      const fields = text.split(',').map((field) => field.trim());
      const { output } = command.texts;
      if (output !== undefined) checkFields(fields, fieldsOf(output));
      return fields;
    }),
  );
}

/** @param known empty if any field may exist @throws UsageError for an unknown field */
function checkFields(fields: readonly string[], known: readonly string[]): void {
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined || known.length === 0) return;
  throw new UsageError(
    `--json "${unknown}" is not a field. Expected one or more of these, separated by commas: ${known.join(', ')}. Without fields, --json comes last.`,
  );
}

/** Lists the fields of a document, or of each entry of a list. */
function fieldsOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.flatMap(fieldsOf))];
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(fieldsOf);
  if (!(schema instanceof z.ZodObject)) return [];
  const { entries } = schema.shape;
  return entries instanceof z.ZodArray ? fieldsOf(entries.element) : Object.keys(schema.shape);
}

/** Leaves only the chosen fields in a document or an entry. */
export function chosenFields(value: unknown, fields: JsonFields): unknown {
  if (fields === true || !isObject(value)) return value;
  return Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(value, field) ? [[field, value[field]]] : [])),
  );
}
