import type { ImportMapping } from '../schema/import-mapping-schema.ts';

/** An expression of a mapping with the columns that it reads. */
export interface ReadColumns {
  /** Its place in the mapping: `only`, `report.recipient` or `replies.from`. */
  readonly field: string;
  readonly expression: string;
  /** The expression has a value if the row has all columns of one alternative. `a || b` has two, each with one column. */
  readonly alternatives: readonly (readonly string[])[];
}

/** A name in quotes, a literal in either notation, a name with the bracket of a call, an operator, or any other character. */
const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_]\w*\s*\(?|\|\||&&|\[\?|\s+|./gs;

/** Lists the columns that each expression of a mapping reads, in the order of the mapping. */
export function columnsOf(
  mapping: Pick<ImportMapping, 'only' | 'report' | 'replies'>,
): readonly ReadColumns[] {
  return expressionsOf(mapping).map(([field, expression]) => ({
    field,
    expression,
    alternatives: alternativesOf(expression),
  }));
}

/** Lists the expressions of a mapping by their places. */
export function expressionsOf({
  only,
  report,
  replies,
}: Pick<ImportMapping, 'only' | 'report' | 'replies'>): [place: string, expression: string][] {
  const within = (part: string, fields: Readonly<Record<string, string | null>> | null) =>
    Object.entries(fields ?? {}).map(([field, text]) => [`${part}.${field}`, text] as const);
  const all = [['only', only] as const, ...within('report', report), ...within('replies', replies)];
  return all.flatMap(([place, text]) => (text === null ? [] : [[place, text]]));
}

/**
 * Lists the names of a JMESPath expression that are columns of a row: not the keys within a value, and not those of an object that the
 * expression makes. A cell of CSV is a text, so what follows a pipe, `&` or a filter reads no column.
 */
function alternativesOf(expression: string): string[][] {
  const tokens = expression
    .match(token)
    ?.map((text) => text.trim())
    .filter((text) => text !== '');
  const alternatives: string[][] = [[]];
  let isNotNull = false;
  for (const [index, text] of (tokens ?? []).entries()) {
    const [before = '', after = ''] = [tokens?.[index - 1], tokens?.[index + 1]];
    const isWithinValue = before === '.' && tokens?.[index - 2] !== '@';
    if (['|', '&', '[?'].includes(text) || (isWithinValue && /^[[{]/.test(text))) break;
    isNotNull ||= /^not_null\b.*\($/.test(text);
    const name = nameIn(text);
    if (text === '||' || (isNotNull && text === ',')) alternatives.push([]);
    else if (name !== undefined && !isWithinValue && after !== ':') alternatives.at(-1)?.push(name);
  }
  const found = alternatives.filter((columns) => columns.length > 0);
  return found.map((columns) => [...new Set(columns)]);
}

function nameIn(text: string): string | undefined {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  return text.startsWith('"') ? String(JSON.parse(text)) : undefined;
}
