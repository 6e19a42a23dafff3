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

/** Writes the fields of each event as Markdown tables. Events with the same fields share a table. */
export function eventFields(detailTypesInOrder: readonly DetailType[] = Object.values(detailTypes)): string {
  const byRows = Map.groupBy(detailTypesInOrder, (detailType) => rowsOf(detailType).join('\n'));
  return [...byRows]
    .map(([, same]) => {
      const [first] = same;
      const head = ['| field | always there | example | meaning |', '|---|---|---|---|'];
      return [`### ${same.join(' and ')}`, '', ...head, ...rowsOf(first as DetailType, true)].join('\n');
    })
    .join('\n\n');
}

function rowsOf(detailType: DetailType, hasExamples = false): string[] {
  const schema = JSON.parse(JSON.stringify(detailJsonSchema(detailType))) as FieldSchema;
  return fieldRows(schema, hasExamples ? examples[detailType] : undefined);
}

/** @param before the name of the field that these are in */
function fieldRows({ properties = {}, required = [] }: FieldSchema, example: unknown, before = ''): string[] {
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
      const row = `| \`${path}\` | ${required.includes(name) ? 'yes' : 'no'} | ${shown} | ${meaningOf(field)} |`;
      return isList
        ? [row, ...fieldRows(items, (value as readonly unknown[] | undefined)?.[0], `${path}[].`)]
        : [row];
    });
}

/** The format of times is on the page. */
function meaningOf({ description = '', enum: words = [] }: FieldSchema): string {
  const text = description.replace('; ISO 8601 in UTC, to the millisecond.', '.');
  return words.length === 0 ? text : `${text} One of ${words.map((word) => `\`${word}\``).join(', ')}.`;
}
