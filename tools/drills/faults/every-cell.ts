import { faultKinds } from '../../engine/fault-control.ts';
import type { Incident } from '../../engine/incidents/incident.ts';
import { functionIncidents, incidentOf } from '../../engine/incidents/processes.ts';
import { spoil } from '../../engine/incidents/spoiled-calls.ts';
import { thaws } from '../../engine/incidents/thaw.ts';
import type { Scene } from '../../engine/scene.ts';
import { parts } from './parts.ts';

/** Every way in which calls go wrong for each of their callers, and every incident of each function. */
export function everyCell(): Incident<Scene>[] {
  return [
    ...parts.flatMap((part) => faultKinds.map((kind) => spoil(part, kind))),
    ...[...functionIncidents, ...thaws].flatMap((incident) =>
      incident.functions.map((label) => incidentOf(incident, label)),
    ),
  ];
}
