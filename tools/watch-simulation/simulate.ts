import { quarterMs } from '../../functions/delivery-watch/counters.ts';
import type { Finding } from '../../functions/delivery-watch/finding.ts';
import { newestDue } from '../../functions/delivery-watch/same-hours.ts';
import {
  type BadSend,
  type SubjectChange,
  type WatchState,
  watchQuarter,
} from '../../functions/delivery-watch/watch-quarter.ts';
import type { Country } from '../../local/sample/traffic/traffic-shape.ts';
import { createRandom } from '../../local/sms-service/random.ts';
import { type Incident, type IncidentPlan, planIncidents } from './incidents.ts';
import { LiveQuarters } from './live-counters.ts';
import { simulateCountry } from './traffic.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly countries: readonly Country[];
  /** Days before, without incidents: the history that the watch compares with. */
  readonly historyDays: number;
  readonly days: number;
  readonly incidents: number;
  readonly traffic?: IncidentPlan['traffic'];
}

/** From so many messages a quarter hour on, incidents should be found in time. */
export const enoughTraffic = { min: 120, max: Number.POSITIVE_INFINITY };

/** An event about a send that alone made a country, a reason or all messages worse than usual. */
export interface TimedSend extends BadSend {
  readonly minute: number;
}

/** An event that the watch publishes. @see SubjectChange */
export interface TimedChange extends SubjectChange {
  /** Minutes since the start of the simulation. */
  readonly minute: number;
}

export interface Simulated {
  readonly seed: number;
  readonly incidents: readonly Incident[];
  readonly changes: readonly TimedChange[];
  /** The first event about each send. */
  readonly badSends: readonly TimedSend[];
  /** The findings of each quarter hour, for the plots: by start in minutes, then by subject. */
  readonly findings: ReadonlyMap<number, ReadonlyMap<string, readonly Finding[]>>;
  /** The minute in which the watched days begin. */
  readonly from: number;
  readonly days: number;
  readonly messages: number;
}

const minutesOfDay = 1440;

/** Minutes between runs of the watch. */
const runEvery = 2;

/** Simulates traffic with incidents minute after minute, and runs the rules of the watch on the counters as they are at that minute. */
export function simulate(options: SimulationOptions): Simulated {
  const { seed, countries, historyDays, days, incidents: count, traffic = enoughTraffic } = options;
  const random = createRandom(seed);
  const from = historyDays * minutesOfDay;
  const until = from + days * minutesOfDay;
  const incidents = planIncidents({
    countries,
    from: from + minutesOfDay,
    until,
    count,
    traffic,
    random,
  });
  const sources = countries.map((country) => ({
    country,
    source: simulateCountry(country, incidents, random),
  }));
  const phase = Math.floor(random() * runEvery);
  const live = new LiveQuarters();
  const changes: TimedChange[] = [];
  const findings = new Map<number, ReadonlyMap<string, readonly Finding[]>>();
  const badSends = new Map<string, TimedSend>();
  let state: WatchState = new Map();
  let judgedTo = from * 60_000 - quarterMs;
  let messages = 0;
  for (let minute = 0; minute < until; minute += 1) {
    for (const { country, source } of sources)
      for (const message of source.next()) {
        live.add(country.code, message);
        messages += 1;
      }
    const counted = live.endMinute(minute);
    const now = minute + 1;
    const due = newestDue(now * 60_000);
    if (now % runEvery !== phase || due <= judgedTo) continue;
    const watched = watchQuarter(due, counted, state, live.sendsToJudge(due));
    state = watched.state;
    judgedTo = due;
    findings.set(due / 60_000, watched.findings);
    for (const bad of watched.badSends)
      if (!badSends.has(bad.sendId)) badSends.set(bad.sendId, { ...bad, minute: now });
    changes.push(...watched.changes.map((change) => ({ ...change, minute: now })));
  }
  return { seed, incidents, changes, badSends: [...badSends.values()], findings, from, days, messages };
}
