import { isSchema, type JsonSchema, propertiesOf } from './contract-json-schema.ts';

/**
 * A document with one part of it written anew: what stands between `<!-- generated: <name> -->` and
 * `<!-- end of generated: <name> -->`.
 *
 * @throws Error where the document does not have both lines
 */
export function withGenerated(document: string, name: string, part: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of generated: ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the document has no part between "${begin}" and "${end}"`);
  return `${document.slice(0, from + begin.length)}\n\n${part}\n\n${document.slice(to)}`;
}

interface Row {
  readonly path: string;
  readonly type: string;
  readonly default: string;
  readonly meaning: string;
  /** Of an object of several forms: the form that has it, as its `scheme` or `from` says. */
  readonly form: string | undefined;
}

/** The fields of the contract as tables in Markdown, one a section. @param schema of a whole contract */
export function contractReference(schema: JsonSchema): string {
  const required = namesOf(schema.required);
  return Object.entries(propertiesOf(schema))
    .filter(([name]) => name !== '$schema')
    .map(([name, section]) => {
      const rows = joined(rowsOf(name, section, required.includes(name), undefined));
      const lines = rows.map(
        (row) => `| \`${row.path}\` | ${row.type} | ${row.default} | ${meaningOf(row)} |`,
      );
      return ['| field | type | default | meaning |', '|---|---|---|---|', ...lines].join('\n');
    })
    .join('\n\n');
}

/** The paths of fields that no text explains. */
export function unexplainedFields(schema: JsonSchema): readonly string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, section]) =>
    rowsOf(name, section, true, undefined)
      .filter(({ path, meaning }) => meaning === '' && path !== '$schema')
      .map(({ path }) => path),
  );
}

function rowsOf(path: string, given: JsonSchema, isRequired: boolean, form: string | undefined): Row[] {
  const schema = withoutNull(given);
  const row = {
    path,
    type: typeOf(given),
    default: defaultOf(given, isRequired),
    meaning: textOf(given.description) || textOf(schema.description),
    form,
  };
  const forms = schemasOf(schema.oneOf);
  if (forms.length > 0) return [row, ...forms.flatMap((one) => fieldsOf(path, one, nameOf(one)))];
  const items = isSchema(schema.items) ? schema.items : {};
  return [row, ...fieldsOf(path, schema, form), ...fieldsOf(`${path}[]`, items, form)];
}

function fieldsOf(path: string, schema: JsonSchema, form: string | undefined): Row[] {
  const required = namesOf(schema.required);
  return Object.entries(propertiesOf(schema)).flatMap(([name, inner]) =>
    rowsOf(`${path}.${name}`, explained(inner, schema), required.includes(name), form),
  );
}

/** The name of a form may be explained where the form is. */
function explained(field: JsonSchema, { description }: JsonSchema): JsonSchema {
  return field.const === undefined ? field : { description, ...field };
}

/** Rows that differ in their form alone as one; the rows of a path one below the other. */
function joined(rows: readonly Row[]): (Row & { readonly forms: readonly string[] })[] {
  const byPath = Map.groupBy(rows, ({ path }) => path);
  return [...byPath.values()].flatMap((same) =>
    [...Map.groupBy(same, ({ form: _, ...row }) => JSON.stringify(row)).values()].flatMap((alike) => {
      const [first] = alike;
      return first === undefined ? [] : [{ ...first, forms: alike.flatMap(({ form }) => form ?? []) }];
    }),
  );
}

function meaningOf({ meaning, forms }: Row & { readonly forms: readonly string[] }): string {
  const only = forms.length === 0 ? '' : `(${forms.map((form) => `\`${form}\``).join(', ')}) `;
  return `${only}${meaning}`.replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();
}

/** What the field is called that says which form an object has. */
function nameOf(form: JsonSchema): string | undefined {
  return Object.values(propertiesOf(form)).flatMap(({ const: value }) =>
    typeof value === 'string' ? value : [],
  )[0];
}

function typeOf(given: JsonSchema): string {
  const schema = withoutNull(given);
  const orNull = schema === given ? '' : ' or null';
  if (schema.const !== undefined) return code(schema.const) + orNull;
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ') + orNull;
  if (schema.$ref !== undefined) return `JSON${orNull}`;
  if (schema.type === 'array') return `list${orNull}`;
  if (schema.type === 'integer') return `whole number${orNull}`;
  return `${schema.type === 'string' ? 'text' : 'object'}${orNull}`;
}

function defaultOf(schema: JsonSchema, isRequired: boolean): string {
  if (schema.default !== undefined) return code(schema.default);
  return isRequired ? 'required' : 'optional';
}

/** A schema that null fits as well, as the schema of what else fits. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schemasOf(schema.anyOf).filter(({ type }) => type !== 'null');
  const [only] = others;
  return only !== undefined && others.length === 1 ? only : schema;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function schemasOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function namesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
