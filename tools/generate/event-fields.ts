import { type DetailType, detailTypes } from '../../events/event-types.ts';
import { examples } from '../../events/examples.ts';
import { detailJsonSchema } from './event-json-schemas.ts';

interface FieldSchema {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
}

/** The page describes these once, for every event. */
const fieldsOfAll = ['pipeline', 'version', 'eventId'];

/** A field of an event. */
interface Field {
  /** With the list that it is in: `figures[].value`. */
  readonly path: string;
  readonly isRequired: boolean;
  /** JSON, or empty. */
  readonly example: string;
  readonly meaning: string;
}

/**
 * Writes the fields of each event as Markdown tables. Events with the same fields share a table, and fields that several of these tables would
 * have are explained in one before them.
 */
export function eventFields(detailTypesInOrder: readonly DetailType[] = Object.values(detailTypes)): string {
  const byFields = Map.groupBy(detailTypesInOrder, (detailType) =>
    fieldsOf(detailType)
      .map(({ path, isRequired, meaning }) => [path, isRequired, meaning].join())
      .join('\n'),
  );
  const events = [...byFields.values()].map((same) => ({ same, fields: fieldsOf(same[0] as DetailType) }));
  const sameFields = [
    ...Map.groupBy(
      events.flatMap(({ fields }) => fields),
      keyOf,
    ).values(),
  ];
  // A name with several meanings is explained where it is rarer.
  const shared = [...Map.groupBy(sameFields, ([field]) => field?.path).values()]
    .map((meanings) => meanings.reduce((most, fields) => (fields.length > most.length ? fields : most)))
    .filter((fields) => fields.length > 1);
  const sharedKeys = new Set(shared.flatMap((fields) => fields.map(keyOf)));
  const isShared = (field: Field) => sharedKeys.has(keyOf(field));
  return [
    ...(shared.length === 0
      ? []
      : [['### Fields of several events', '', ...table(shared.map(rowOf))].join('\n')]),
    ...events.map(({ same, fields }) => {
      const [own, others] = [fields.filter((field) => !isShared(field)), fields.filter(isShared)];
      const lines = [`### ${same.join(' and ')}`, ''];
      if (others.length > 0)
        lines.push(`Of the [fields of several events](#fields-of-several-events): ${namesOf(others)}.`);
      if (others.length > 0 && own.length > 0) lines.push('');
      if (own.length > 0) lines.push(...table(own.map((field) => rowOf([field]))));
      return lines.join('\n');
    }),
  ].join('\n\n');
}

const keyOf = ({ path, meaning }: Field) => `${path} ${meaning}`;

const table = (rows: readonly string[]) => [
  '| field | always there | example | meaning |',
  '|---|---|---|---|',
  ...rows,
];

/** @param fields the same field of one or several events */
function rowOf(fields: readonly Field[]): string {
  const [{ path, meaning } = { path: '', meaning: '' }] = fields;
  const required = new Set(fields.map(({ isRequired }) => isRequired));
  const always = required.size === 2 ? 'in some events' : required.has(true) ? 'yes' : 'no';
  const example = fields.find((field) => field.example !== '')?.example ?? '';
  return `| \`${path}\` | ${always} | ${example} | ${meaning} |`;
}

/** The names of fields. Those of a list are behind it in the table. */
function namesOf(fields: readonly Field[]): string {
  const named = (word: string, isRequired: boolean) => {
    const names = fields.filter((field) => field.isRequired === isRequired && !field.path.includes('[].'));
    return names.length === 0 ? [] : [`${word} ${names.map(({ path }) => `\`${path}\``).join(', ')}`];
  };
  return [...named('always', true), ...named('sometimes', false)].join('; ');
}

function fieldsOf(detailType: DetailType): Field[] {
  const schema = JSON.parse(JSON.stringify(detailJsonSchema(detailType))) as FieldSchema;
  return fieldsIn(schema, examples[detailType]);
}

/** @param before the name of the field that these are in */
function fieldsIn({ properties = {}, required = [] }: FieldSchema, example: unknown, before = ''): Field[] {
  const values = (example ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(properties)
    .filter(([name]) => before !== '' || !fieldsOfAll.includes(name))
    .flatMap(([name, field]) => {
      const path = `${before}${name}`;
      const { items } = field;
      const value = values[name];
      const isList = items?.properties !== undefined;
      const shown =
        value === undefined || isList ? '' : `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``;
      const own = { path, isRequired: required.includes(name), example: shown, meaning: meaningOf(field) };
      return isList
        ? [own, ...fieldsIn(items, (value as readonly unknown[] | undefined)?.[0], `${path}[].`)]
        : [own];
    });
}

/** The format of times is on the page. */
function meaningOf({ description = '', enum: words = [] }: FieldSchema): string {
  const text = description.replace('; ISO 8601 in UTC, to the millisecond.', '.');
  return words.length === 0 ? text : `${text} One of ${words.map((word) => `\`${word}\``).join(', ')}.`;
}
