import { isSchema, type JsonSchema, propertiesOf } from './contract-json-schema.ts';

/**
 * Replaces the part of a document between `<!-- generated: <name> -->` and `<!-- end of generated: <name> -->`.
 *
 * @throws Error if the document lacks one of these lines
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
  /** The form of the object that has this field, by its `scheme` or `from`; undefined if there is only one form. */
  readonly form: string | undefined;
}

/** The fields of a place in a request, which the page explains once. */
const placeField =
  /^webhook\.signature\.(?:id|timestamp|payloadHash)\.(?:header|query|body|claim|prefix|separator)$/;

/** Writes the fields of the contract as one Markdown table. @param schema the schema of a complete contract */
export function contractReference(schema: JsonSchema): string {
  const required = namesOf(schema.required);
  const rows = Object.entries(propertiesOf(schema))
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, section]) => rowsOf(name, section, required.includes(name), undefined))
    .filter(({ path }) => !placeField.test(path));
  // An object that must be there says nothing beyond its fields.
  const isRow = (path: string, [row]: readonly Row[]) =>
    row?.type !== 'object' ||
    row.default !== 'required' ||
    !rows.some((other) => other.path.startsWith(`${path}.`));
  const byPath = [...Map.groupBy(rows, ({ path }) => path)].filter(([path, forms]) => isRow(path, forms));
  const lines = byPath.map(([path, forms]) => `| \`${path}\` | ${typesOf(forms)} | ${meaningOf(forms)} |`);
  return ['| field | value | meaning |', '|---|---|---|', ...lines].join('\n');
}

/** The type and the default of a field, and the forms where they differ. */
function typesOf(rows: readonly Row[]): string {
  const values = Map.groupBy(rows, ({ type, default: value }) =>
    value === 'required' ? type : `${type}, ${value === 'optional' ? '' : 'default '}${value}`,
  );
  if (values.size === 1) return [...values.keys()].join();
  return [...values].map(([text, same]) => `${formsOf(same)}${text}`).join('; ');
}

/** The meaning of a field, and the forms that have it. */
function meaningOf(rows: readonly Row[]): string {
  return [...Map.groupBy(rows, ({ meaning }) => meaning)]
    .map(([text, same]) => `${formsOf(same)}${text}`)
    .join(' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .trim();
}

function formsOf(rows: readonly Row[]): string {
  const forms = rows.flatMap(({ form }) => (form === undefined ? [] : `\`${form}\``));
  const names = forms.join(', ').replace('`hmac`, `hash`, `public-key`', 'signatures');
  return forms.length === 0 ? '' : `(${names}) `;
}

/** Lists the fields without a description. */
export function unexplainedFields(schema: JsonSchema): readonly string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, section]) =>
    rowsOf(name, section, true, undefined)
      .filter(({ path, meaning }) => meaning === '' && path !== '$schema')
      .map(({ path }) => path),
  );
}

function rowsOf(path: string, source: JsonSchema, isRequired: boolean, form: string | undefined): Row[] {
  const schema = withoutNull(source);
  const row = {
    path,
    type: typeOf(source),
    default: defaultOf(source, isRequired),
    meaning: textOf(source.description) || textOf(schema.description),
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

/** Uses the description of the form where its name has none. */
function explained(field: JsonSchema, { description }: JsonSchema): JsonSchema {
  return field.const === undefined ? field : { description, ...field };
}

/** Returns the value that identifies a form, such as "hmac". */
function nameOf(form: JsonSchema): string | undefined {
  return Object.values(propertiesOf(form)).flatMap(({ const: value }) =>
    typeof value === 'string' ? value : [],
  )[0];
}

function typeOf(source: JsonSchema): string {
  const schema = withoutNull(source);
  const orNull = schema === source ? '' : ' or null';
  if (schema.const !== undefined) return code(schema.const) + orNull;
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ') + orNull;
  if (schema.$ref !== undefined) return `JSON${orNull}`;
  if (schema.type === 'array') return `list${orNull}`;
  if (schema.type === 'integer') return `whole number${orNull}`;
  const choices = schemasOf(schema.anyOf);
  if (schema.type === undefined && choices.length > 0) return choices.map(typeOf).join(', or ') + orNull;
  return `${schema.type === 'string' ? 'text' : 'object'}${orNull}`;
}

function defaultOf(schema: JsonSchema, isRequired: boolean): string {
  if (schema.default !== undefined) return code(schema.default);
  return isRequired ? 'required' : 'optional';
}

/** Returns the schema of a nullable value without null. */
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
