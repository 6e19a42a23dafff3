import { incidents } from './incidents.ts';
import { parts, rowName } from './parts.ts';
import type { CellResult, FaultsResult } from './run-faults.ts';
import { type FaultKind, faultKinds, services } from './scene/fault-control.ts';
import { thaws } from './thaw.ts';

const allIncidents = [...incidents, ...thaws];

/**
 * The outcome as a table: for each call how often it was spoiled in each way, and how many events were acknowledged meanwhile and
 * found; then the incidents.
 */
export function matrixLines({ cells }: FaultsResult): string[] {
  const width =
    Math.max(...parts.map((part) => rowName(part).length), ...allIncidents.map(({ name }) => name.length)) +
    2;
  const line = (name: string, entries: readonly string[]) =>
    name.padEnd(width) + entries.map((entry) => entry.padStart(11)).join('');
  const ofPart = new Map<string, CellResult>();
  for (const result of cells)
    if ('part' in result.cell) ofPart.set(key(rowName(result.cell.part), result.cell.kind), result);
  const played = parts.filter((part) => faultKinds.some((kind) => ofPart.has(key(rowName(part), kind))));
  const rows = played.map((part) =>
    line(
      rowName(part),
      faultKinds.map((kind) => entryOf(ofPart.get(key(rowName(part), kind)))),
    ),
  );
  const ofIncidents = allIncidents.flatMap(({ name, functions }) => {
    const results = cells.filter(({ cell }) => 'incident' in cell && cell.incident.name === name);
    if (results.length === 0) return [];
    const entries = functions.flatMap((label) => {
      const result = results.find(({ cell }) => 'incident' in cell && cell.label === label);
      return result ? [`${label}: ${entryOf(result)}`] : [];
    });
    return [`${name.padEnd(width)}  ${entries.join('   ')}`];
  });
  return [line('caller > call', faultKinds), ...rows, '', 'incident', ...ofIncidents, '', ...noCalls()];
}

/** Where there is nothing to be spoiled. */
function noCalls(): string[] {
  const stages = Map.groupBy(parts, ({ stage }) => stage);
  return [...stages].map(([stage, ofStage]) => {
    const called = new Set(ofStage.map(({ service }) => service));
    return `no call of ${stage} goes to: ${services.filter((service) => !called.has(service)).join(', ') || '-'}`;
  });
}

function key(row: string, kind: FaultKind): string {
  return `${row} ${kind}`;
}

function entryOf(result: CellResult | undefined): string {
  if (result === undefined) return '-';
  return result.broken.length === 0 ? `ok ${result.times}/${result.acknowledged}` : 'BROKEN';
}
