import { faultKinds } from '../engine/fault-control.ts';
import type { Incident } from '../engine/incidents/incident.ts';
import { type FunctionIncident, functionIncidents, incidentOf } from '../engine/incidents/processes.ts';
import { partName, spoil } from '../engine/incidents/spoiled-calls.ts';
import { thaws } from '../engine/incidents/thaw.ts';
import type { Scene } from '../engine/scene.ts';
import { parts } from './parts.ts';

/** One incident, in one place of the printed matrix. */
export interface Cell {
  readonly row: string;
  readonly column: string;
  readonly incident: Incident<Scene>;
}

const spoiledCells: readonly Cell[][] = parts.map((part) =>
  faultKinds.map((kind) => ({ row: partName(part), column: kind, incident: spoil(part, kind) })),
);

const cellsOf = (incident: FunctionIncident): Cell[] =>
  incident.functions.map((label) => ({
    row: incident.name,
    column: label,
    incident: incidentOf(incident, label),
  }));

/** Every way in which calls go wrong for each of their callers, and every incident. */
export function everyCell(): Cell[] {
  return [...spoiledCells.flat(), ...[...functionIncidents, ...thaws].flatMap(cellsOf)];
}

/** One way for each stage and service, and one function for each incident but those of {@link thaws}: another choice for each seed. */
export function someCells(random: () => number): Cell[] {
  const choose = <T>(choices: readonly T[]): T[] => {
    const chosen = choices[Math.floor(random() * choices.length)];
    return chosen === undefined ? [] : [chosen];
  };
  const places = Map.groupBy(parts.entries(), ([, { stage, service }]) => `${stage} ${service}`);
  return [
    ...places
      .values()
      .flatMap((entries) => choose(entries).flatMap(([index]) => choose(spoiledCells[index] ?? []))),
    ...functionIncidents.flatMap((incident) => choose(cellsOf(incident))),
  ];
}
