import type { Subject } from '../../functions/delivery-watch/subject.ts';
import { type Country, expectedPerMinute } from '../../local/sample/traffic/traffic-shape.ts';

export const kinds = ['country at 60 %', 'reason rising', 'latency doubled', 'slow drift'] as const;
type IncidentKind = (typeof kinds)[number];

/** Something that is wrong for a while. Times are minutes since the start of the simulation. */
export interface Incident {
  readonly kind: IncidentKind;
  /** The code of the country; undefined where all are concerned. */
  readonly country: string | undefined;
  readonly reason: string | undefined;
  readonly from: number;
  readonly until: number;
  /** From when on it should be found: its start; for a drift the minute in which it has reached {@link dueDrift}. */
  readonly dueFrom: number;
}

const days = { hour: 60, day: 1440 };

/** A slow drift loses this share of deliveries over its first hours, and stays there. */
const drift = { lost: 0.25, over: 8 * days.hour, lasts: 12 * days.hour };

/** The drift is due when it has reached ten points. */
const dueDrift = 0.1;

export interface IncidentPlan {
  readonly countries: readonly Country[];
  /** The first and the last minute of the simulation with incidents. */
  readonly from: number;
  readonly until: number;
  readonly count: number;
  /** Incidents are due where so many messages a quarter hour are expected of the country. The watch gives no verdict on few messages. */
  readonly traffic: { readonly min: number; readonly max: number };
  readonly random: () => number;
}

/** Places incidents evenly, each at a random time and country of its part of the days, the kinds in turns. */
export function planIncidents({ countries, from, until, count, traffic, random }: IncidentPlan): Incident[] {
  const slot = (until - from) / count;
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? 'slow drift';
    const minutes = kind === 'slow drift' ? drift.lasts : (2 + 4 * random()) * days.hour;
    const earliest = from + index * slot;
    for (;;) {
      const start = Math.floor(earliest + random() * Math.max(slot - minutes - 6 * days.hour, 1));
      const country = countries[Math.floor(random() * countries.length)];
      const isEverywhere = kind === 'reason rising' || (kind === 'latency doubled' && index % 8 === 2);
      if (country === undefined) continue;
      const place = isEverywhere ? undefined : country.code;
      const incident = incidentOf(kind, place, start, Math.floor(minutes), random);
      if (hasTraffic(incident, country, traffic)) return incident;
    }
  });
}

/** Returns whether there is such traffic in the first half hour in which the incident is due. */
function hasTraffic({ dueFrom }: Incident, country: Country, { min, max }: IncidentPlan['traffic']): boolean {
  return [0, 15, 30].every((after) => {
    const expected = expectedPerMinute(country, dueFrom + after) * 15;
    return min <= expected && expected <= max;
  });
}

function incidentOf(
  kind: IncidentKind,
  country: string | undefined,
  from: number,
  minutes: number,
  random: () => number,
): Incident {
  const rising = ['carrier_rejected', 'spam', 'unreachable', 'throttled', 'content_rejected'];
  return {
    kind,
    country,
    reason: kind === 'reason rising' ? rising[Math.floor(random() * rising.length)] : undefined,
    from,
    until: from + minutes,
    dueFrom: kind === 'slow drift' ? from + Math.ceil((drift.over * dueDrift) / drift.lost) : from,
  };
}

/** What incidents do to the messages of a country in a minute. */
export interface Effect {
  /** The share of deliveries that is lost. */
  readonly lost: number;
  /** The reason of the messages that are lost; undefined for the usual mix. */
  readonly reason: string | undefined;
  /** The factor of the time to delivery. */
  readonly slower: number;
}

const noEffect: Effect = { lost: 0, reason: undefined, slower: 1 };

/** Returns what the incident under way does. At most one is under way in each country. */
export function effectOf(incidents: readonly Incident[], country: string, minute: number): Effect {
  const incident = incidents.find(
    ({ from, until, country: place }) =>
      from <= minute && minute < until && (place === undefined || place === country),
  );
  switch (incident?.kind) {
    case 'country at 60 %':
      return { ...noEffect, lost: 0.4 };
    case 'reason rising':
      return { ...noEffect, lost: 0.06, reason: incident.reason };
    case 'latency doubled':
      return { ...noEffect, slower: 2 };
    case 'slow drift':
      return { ...noEffect, lost: drift.lost * Math.min((minute - incident.from) / drift.over, 1) };
    default:
      return noEffect;
  }
}

/** Returns whether an incident touches the figures of a subject: then an event about the subject is no false alarm. */
export function touches(incident: Incident, subject: Subject): boolean {
  if (subject.kind === 'country')
    return incident.country === undefined || incident.country === subject.country;
  return subject.kind === 'all' || incident.kind !== 'latency doubled';
}
