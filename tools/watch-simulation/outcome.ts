import { median } from '../support/statistics.ts';
import { type Incident, kinds, touches } from './incidents.ts';
import type { Simulated, TimedChange, TimedSend } from './simulate.ts';

/** An incident may still be found, and an event is no false alarm, for so many minutes after its end. */
const graceMinutes = 60;

/** An incident, and how it was found. */
export interface JudgedIncident {
  readonly incident: Incident;
  /** Undefined where it was not found. */
  readonly found: TimedChange | undefined;
  /** From when it should be found until it was; 0 for a drift that was found earlier. */
  readonly minutes: number | undefined;
}

export interface Outcome {
  readonly seed: number;
  readonly incidents: readonly JudgedIncident[];
  readonly falseAlarms: readonly TimedChange[];
  readonly falseAlarmsPerWeek: number;
  /** The events about sends. */
  readonly badSends: readonly TimedSend[];
  readonly badSendsPerWeek: number;
  /** Those of them while an incident touched their subject: it may have been the cause in place of the send. */
  readonly wronglyBlamed: number;
}

/** Compares what the watch published with the incidents that there were. */
export function judge({ seed, incidents, changes, badSends, days }: Simulated): Outcome {
  const degraded = changes.filter(({ kind }) => kind === 'degraded');
  const isAbout = (change: Pick<TimedChange, 'subject' | 'minute'>, incident: Incident) =>
    touches(incident, change.subject) &&
    change.minute >= incident.from &&
    change.minute <= incident.until + graceMinutes;
  const falseAlarms = degraded.filter((change) => !incidents.some((incident) => isAbout(change, incident)));
  return {
    seed,
    incidents: incidents.map((incident) => {
      const found = degraded.find((change) => isAbout(change, incident));
      const minutes = found === undefined ? undefined : Math.max(found.minute - incident.dueFrom, 0);
      return { incident, found, minutes };
    }),
    falseAlarms,
    falseAlarmsPerWeek: falseAlarms.length / (days / 7),
    badSends,
    badSendsPerWeek: badSends.length / (days / 7),
    wronglyBlamed: badSends.filter((bad) => incidents.some((incident) => isAbout(bad, incident))).length,
  };
}

/** The targets of simulations of 20 incidents, on average. */
export const target = { found: 18, withinMinutes: 30, falseAlarmsPerWeek: 1 };

function foundInTime({ incidents }: Pick<Outcome, 'incidents'>): number {
  return incidents.filter(({ minutes }) => minutes !== undefined && minutes <= target.withinMinutes).length;
}

/** Returns the targets that outcomes miss on average, in words. Single ones may miss a target by chance. */
export function missed(outcomes: readonly Outcome[]): string[] {
  const mean = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
  const found = mean(foundInTime);
  const alarms = mean(({ falseAlarmsPerWeek }) => falseAlarmsPerWeek);
  return [
    ...(found < target.found
      ? [`${found.toFixed(1)} found within ${target.withinMinutes} minutes, target ${target.found}`]
      : []),
    ...(alarms > target.falseAlarmsPerWeek
      ? [`${alarms.toFixed(2)} false alarms a week, target ${target.falseAlarmsPerWeek}`]
      : []),
  ];
}

export const columns = [
  'seed',
  'in 30 min',
  'found',
  'median min',
  'max min',
  'false a week',
  'sends a week',
  ...kinds,
];

/** The row of an outcome for a table. The kinds count what was found in time. */
export function rowOf(outcome: Outcome): string[] {
  return row(String(outcome.seed), [outcome]);
}

/** The row of all outcomes together. */
export function totalRow(outcomes: readonly Outcome[]): string[] {
  return row('all', outcomes);
}

function row(name: string, outcomes: readonly Outcome[]): string[] {
  const incidents = outcomes.flatMap((outcome) => outcome.incidents);
  const mean = (of: (outcome: Outcome) => number) =>
    (outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length).toFixed(2);
  const minutes = incidents.flatMap((incident) => incident.minutes ?? []);
  const inTime = (all: readonly JudgedIncident[]) => `${foundInTime({ incidents: all })}/${all.length}`;
  return [
    name,
    inTime(incidents),
    `${minutes.length}/${incidents.length}`,
    median(minutes).toFixed(0),
    String(Math.max(...minutes)),
    mean(({ falseAlarmsPerWeek }) => falseAlarmsPerWeek),
    mean(({ badSendsPerWeek }) => badSendsPerWeek),
    ...kinds.map((kind) => inTime(incidents.filter(({ incident }) => incident.kind === kind))),
  ];
}
