import type { ImportMapping } from '../schema/import-mapping-schema.ts';

/** An expression of a mapping with the columns that it reads. */
export interface ReadColumns {
  /** `only`, or the name of a field in `report`. */
  readonly field: string;
  readonly expression: string;
  /** The expression has a value if the row has all columns of one alternative. `a || b` has two, each with one column. */
  readonly alternatives: readonly (readonly string[])[];
}

/** A name in quotes, a literal in either notation, a name with the bracket of a call, an operator, or any other character. */
const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_]\w*\s*\(?|\|\||&&|\[\?|\s+|./gs;

/** Lists the columns that each expression of a mapping reads, in the order of the mapping. */
export function columnsOf({ only, report }: Pick<ImportMapping, 'only' | 'report'>): readonly ReadColumns[] {
  return Object.entries({ only, ...report }).flatMap(([field, expression]) =>
    expression === null ? [] : [{ field, expression, alternatives: alternativesOf(expression) }],
  );
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
