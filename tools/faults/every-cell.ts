import { incidents } from './incidents.ts';
import { parts } from './parts.ts';
import type { Cell } from './run-faults.ts';
import { faultKinds } from './scene/fault-control.ts';
import { thaws } from './thaw.ts';

/** Every way in which calls go wrong for each of their callers, and every incident. */
export function everyCell(): Cell[] {
  return [
    ...parts.flatMap((part) => faultKinds.map((kind) => ({ part, kind }))),
    ...[...incidents, ...thaws].flatMap((incident) =>
      incident.functions.map((label) => ({ incident, label })),
    ),
  ];
}

/** One way for each stage and service, and one function for each incident but those of {@link thaws}: another choice for each seed. */
export function someCells(random: () => number): Cell[] {
  const choose = <T>(choices: readonly T[]): T[] => {
    const chosen = choices[Math.floor(random() * choices.length)];
    return chosen === undefined ? [] : [chosen];
  };
  const places = Map.groupBy(parts, ({ stage, service }) => `${stage} ${service}`);
  return [
    ...places
      .values()
      .flatMap(choose)
      .flatMap((part) => choose(faultKinds).map((kind) => ({ part, kind }))),
    ...incidents.flatMap((incident) => choose(incident.functions).map((label) => ({ incident, label }))),
  ];
}
