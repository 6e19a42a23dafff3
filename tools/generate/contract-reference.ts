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

/** The fields of a place in a request, and names of claims, which the page explains once. */
const placeField =
  /^webhook\.signature\.(?:id|timestamp|payloadHash|urlHash)\.(?:header|query|body|claim|prefix|separator)$/;

/** The fields of the second signature are those of the first one. */
const secondSignature = /^webhook\.also\.signature\./;

/**
 * Writes the fields of the contract as Markdown tables, one for each field of the contract itself. Fields of one table with the same values
 * and meaning share a row. A field that the forms of an object explain in different ways has a row for each of these ways.
 *
 * @param schema the schema of a complete contract
 */
export function contractReference(schema: JsonSchema): string {
  const required = namesOf(schema.required);
  const rows = Object.entries(propertiesOf(schema))
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, section]) => rowsOf(name, section, required.includes(name), undefined))
    .filter(({ path }) => !placeField.test(path) && !secondSignature.test(path));
  // An object that must be there says nothing beyond its fields.
  const isRow = ([row]: readonly Row[]) =>
    row?.type !== 'object' ||
    row.default !== 'required' ||
    !rows.some((other) => other.path.startsWith(`${row.path}.`));
  const fields = [...Map.groupBy(rows, ({ path }) => path).values()].filter(isRow);
  const sections = Map.groupBy(fields, ([row]) => /^\w+/.exec(row?.path ?? '')?.[0] ?? '');
  const head = ['| field | required | value | meaning |', '|---|---|---|---|'];
  return [...sections]
    .map(([name, own]) => {
      const same = Map.groupBy(own, (forms) => forms.map((row) => cellsOf(row, row.form)).join());
      const lines = [...same.values()].flatMap((fieldsOfRow) => linesOf(fieldsOfRow));
      return [`### ${name}`, '', ...head, ...lines].join('\n');
    })
    .join('\n\n');
}

/** The rows of fields that differ in their paths alone. */
function linesOf(fields: readonly (readonly Row[])[]): string[] {
  const [forms = []] = fields;
  const paths = fields.map(([row]) => `\`${row?.path}\``).join(', ');
  const ways = [...Map.groupBy(forms, (row) => cellsOf(row, undefined)).values()];
  return ways.map((way) => {
    const [row] = way;
    return row === undefined ? '' : `| ${paths} | ${cellsOf(row, formsOf(way))} |`;
  });
}

/** The cells of a row behind its field. @param forms the names of the forms that it is about */
function cellsOf(row: Row, forms: string | undefined): string {
  // The value that selects a form says for which form it is.
  const about =
    forms === undefined || forms === `\`${row.type.replaceAll('"', '')}\`` ? '' : `With ${forms}: `;
  const text = row.default === 'null' ? row.meaning.replace(/, or null(?=\.)/, '') : row.meaning;
  const meaning = about === '' ? text : text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  const cells = [requiredOf(row), valuesOf(row), `${about}${meaning}`];
  return cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ');
}

/** What is empty needs no default on the page. */
const empty = ['null', '""', '[]', '{}'];

function requiredOf({ default: value }: Pick<Row, 'default'>): string {
  if (value === 'required') return 'yes';
  return value === 'optional' || empty.includes(value) ? 'no' : `no, default \`${value}\``;
}

/** The values of a field: its type, or its choices. */
function valuesOf({ type, default: preset }: Pick<Row, 'type' | 'default'>): string {
  const types = type.split('|').filter((one) => one !== 'null' || preset !== 'null');
  return types.map((one) => (one.startsWith('"') ? `\`${one}\`` : one)).join(', ');
}

function formsOf(rows: readonly Row[]): string | undefined {
  const names = rows.flatMap(({ form }) => (form === undefined ? [] : `\`${form}\``));
  const last = names.pop();
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
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
    meaning: stringOf(source.description) || stringOf(schema.description),
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
  return `${plainType(schema)}${schema === source ? '' : '|null'}`;
}

function plainType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join('|');
  if (schema.$ref !== undefined) return 'JSON';
  const choices = schemasOf(schema.anyOf);
  if (schema.type === undefined && choices.length > 0) return choices.map(plainType).join('|');
  const names: Readonly<Record<string, string>> = { string: 'text', array: 'list' };
  return typeof schema.type === 'string' ? (names[schema.type] ?? schema.type) : 'object';
}

function defaultOf(schema: JsonSchema, isRequired: boolean): string {
  if (schema.default !== undefined) return JSON.stringify(schema.default);
  return isRequired ? 'required' : 'optional';
}

/** Returns the schema of a nullable value without null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schemasOf(schema.anyOf).filter(({ type }) => type !== 'null');
  const [only] = others;
  return only !== undefined && others.length === 1 ? only : schema;
}

function schemasOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function namesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
