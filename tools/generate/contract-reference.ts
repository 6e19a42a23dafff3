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

/**
 * Writes the fields of the contract as a Markdown list. Fields with the same values and meaning share an item. A field that may be left out
 * has a question mark, and a field without a type is a text.
 *
 * @param schema the schema of a complete contract
 */
export function contractReference(schema: JsonSchema): string {
  const required = namesOf(schema.required);
  const rows = Object.entries(propertiesOf(schema))
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, section]) => rowsOf(name, section, required.includes(name), undefined))
    .filter(({ path }) => !placeField.test(path));
  // An object that must be there says nothing beyond its fields.
  const isRow = ([row]: readonly Row[]) =>
    row?.type !== 'object' ||
    row.default !== 'required' ||
    !rows.some((other) => other.path.startsWith(`${row.path}.`));
  const fields = [...Map.groupBy(rows, ({ path }) => path).values()].filter(isRow);
  const same = Map.groupBy(fields, (forms) => `${isOptional(forms)}${textOf(forms)}`);
  return [...same.values()].map(itemOf).join('\n');
}

/** The item of fields that differ in their paths alone. */
function itemOf(fields: readonly (readonly Row[])[]): string {
  const [forms = []] = fields;
  const paths = fields.map(([row]) => `\`${row?.path}${isOptional(forms) ? '?' : ''}\``).join(', ');
  return `- ${paths}: ${textOf(forms)
    .split(/(?<=\.) /)
    .join('\n  ')}`;
}

/** Whether at least one form of the field may be left out. */
function isOptional(forms: readonly Row[]): boolean {
  return forms.some((row) => row.default !== 'required');
}

/** The values and the meaning of a field, and the forms if they differ. */
function textOf(rows: readonly Row[]): string {
  return [...Map.groupBy(rows, (row) => `${valuesOf(row)}${meaningOf(row)}`)]
    .map(([text, same]) => `${formsOf(same)}${text.trim()}`)
    .join('; ')
    .replaceAll('.; ', '. ')
    .replaceAll('<', '&lt;')
    .trim();
}

/** What is empty needs no default on the page. */
const empty = ['required', 'optional', 'null', '""', '[]', '{}'];

function valuesOf({ type, default: value, form }: Row): string {
  const shown = value === 'null' ? type.replace(/\|null$/, '') : type;
  // The name of a form says which value selects it.
  if (shown === JSON.stringify(form)) return '';
  if (!empty.includes(value)) return `\`${shown} = ${value}\` `;
  return shown === 'text' ? '' : `\`${shown}\` `;
}

/** A field that may be left out may also be null, if that is its default. */
function meaningOf({ meaning, default: value }: Row): string {
  const text = value === 'null' ? meaning.replace(/, or null(?=\.)/, '') : meaning;
  // The choices beside these say so too.
  if (/^(?:The hash|How it is written)\.$/.test(text)) return '';
  if (/\. [A-Z"]/.test(text)) return text;
  const short = text
    .replace(/^JMESPath to (?:the |its )?/, '`path` ')
    .replace(/^(?:The|An?) (?=[a-z])/, '')
    .replace(/\.$/, '');
  return short.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
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
