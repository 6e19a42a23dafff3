import { faultKinds } from '../engine/fault-control.ts';
import { renderTable } from '../support/table.ts';
import type { CellResult } from './run-faults.ts';

/**
 * The outcome as a table: for each call how often it was spoiled in each way, and how many events were acknowledged meanwhile and
 * found; then the incidents.
 */
export function printMatrix(cells: readonly CellResult[]): string {
  const isOfCalls = ({ cell }: CellResult) => faultKinds.some((kind) => kind === cell.column);
  const rows = Map.groupBy(cells.filter(isOfCalls), ({ cell }) => cell.row);
  const calls = [...rows].map(([row, own]) => [
    row,
    ...faultKinds.map((kind) => entryOf(own.find(({ cell }) => cell.column === kind))),
  ]);
  const incidents = cells.filter((result) => !isOfCalls(result));
  return [
    renderTable([['caller > call', ...faultKinds], ...calls.sort()]),
    renderTable([['incident', ''], ...incidents.map((one) => [one.cell.incident.name, entryOf(one)]).sort()]),
  ].join('\n\n');
}

function entryOf(result: CellResult | undefined): string {
  if (result === undefined) return '-';
  return result.broken.length === 0 ? `ok ${result.times}/${result.acknowledged}` : 'BROKEN';
}
