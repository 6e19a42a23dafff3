import { type Column, filled } from './columns.ts';
import { type Candidate, isConstant, ownerBonus, rankColumns } from './rank-columns.ts';
import { isPhone } from './scalar.ts';

/** Numbers: that of a person changes from event to event, ours seldom does. */
export function numberCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
): Candidate[] {
  const phones = rankColumns(columns, {
    names,
    fits: isPhone,
    looks: saysNumber,
    bonus: (column) => ownerBonus(column, names),
  });
  const changes = phones.some(({ column }) => !isConstant(column));
  return phones
    .map(({ column, score }) => ({ column, score: score - (changes && isConstant(column) ? 40 : 0) }))
    .sort((a, b) => b.score - a.score);
}

/** Only with a plus is it a number and nothing else. */
function saysNumber(column: Column): boolean {
  return filled(column).every((value) => String(value).startsWith('+'));
}
