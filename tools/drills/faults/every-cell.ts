import { faultKinds } from '../../engine/fault-control.ts';
import type { Incident } from '../../engine/incident.ts';
import { functionIncidents, incidentOf } from './function-incidents.ts';
import { parts } from './parts.ts';
import type { Scene } from './scene.ts';
import { spoil } from './spoiled-calls.ts';
import { thaws } from './thaw.ts';

/** Returns each fault of each call, and each incident of each function. */
export function everyCell(): Incident<Scene>[] {
  return [
    ...parts.flatMap((part) => faultKinds.map((kind) => spoil(part, kind))),
    ...[...functionIncidents, ...thaws].flatMap((incident) =>
      incident.functions.map((label) => incidentOf(incident, label)),
    ),
  ];
}
