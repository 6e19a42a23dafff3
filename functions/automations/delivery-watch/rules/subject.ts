import { median } from 'simple-statistics';
import { type CountedQuarter, type CountersByCountry, deliveredWithin, sumCounters } from './counters.ts';
import { type Measure, measureOf, minMessages, type Signal } from './measure.ts';
import { horizonsMs } from './same-hours.ts';

/** What is judged: all messages, those to a country, those of a source, or the failures for one reason among all messages. */
export type Subject =
  | { readonly kind: 'all' }
  | { readonly kind: 'country'; readonly country: string }
  | { readonly kind: 'source'; readonly source: string }
  | { readonly kind: 'reason'; readonly reason: string };

/** Returns the key of a subject, for example "country:DE". */
export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'all':
      return 'all';
    case 'country':
      return `country:${subject.country}`;
    case 'source':
      return `source:${subject.source}`;
    case 'reason':
      return `reason:${subject.reason}`;
  }
}

/** Reads a key that {@link subjectKey} made. */
export function subjectOfKey(key: string): Subject {
  const [kind, name = ''] = key.split(/:(.*)/s);
  if (kind === 'country') return { kind, country: name };
  if (kind === 'source') return { kind, source: name };
  return kind === 'reason' ? { kind, reason: name } : { kind: 'all' };
}

/**
 * Returns the subjects that appear in the present quarter hours. Sources are among them if the present and the past have several: the only
 * source of a pipeline is all messages.
 */
export function subjectsOf(present: readonly CountedQuarter[], past: readonly CountedQuarter[]): Subject[] {
  const countries = new Set<string>();
  const reasons = new Set<string>();
  const sources = new Set<string>();
  for (const quarter of present) {
    for (const [country, { failures }] of quarter.countries) {
      countries.add(country);
      for (const reason of failures.keys()) reasons.add(reason);
    }
    for (const source of quarter.sources.keys()) sources.add(source);
  }
  const hasSeveral =
    new Set([...sources, ...past.flatMap((quarter) => [...quarter.sources.keys()])]).size > 1;
  return [
    { kind: 'all' },
    ...[...countries].sort().map((country): Subject => ({ kind: 'country', country })),
    ...[...reasons].sort().map((reason): Subject => ({ kind: 'reason', reason })),
    ...(hasSeveral ? [...sources].sort().map((source): Subject => ({ kind: 'source', source })) : []),
  ];
}

const noMessages: CountersByCountry = new Map();

/** Returns the part of a quarter hour that a subject is about. A reason is about all messages. */
export function partOf(subject: Subject, { countries, sources }: CountedQuarter): CountersByCountry {
  if (subject.kind === 'source') return sources.get(subject.source) ?? noMessages;
  if (subject.kind !== 'country') return countries;
  const counters = countries.get(subject.country);
  return counters === undefined ? noMessages : new Map([[subject.country, counters]]);
}

/** Returns how the signals of a subject are measured. @param late index in {@link horizonsMs} */
export function measuresOf(
  subject: Subject,
  late: number,
  past: readonly CountersByCountry[],
): [Signal, Measure][] {
  const horizonMs = horizonsMs[late] ?? 0;
  if (subject.kind === 'reason')
    return [['failure-share', measureOf({ reason: subject.reason }, horizonMs, past)]];
  const signals = ['delivery-rate', 'time-to-delivery'] as const;
  return signals.map((signal) => [signal, measureOf(signal, horizonMs, past)]);
}

/** A horizon covers the usual time to delivery if so many of the delivered messages were delivered within it. */
const coveredShare = 0.9;

/**
 * Returns the index in {@link horizonsMs} of the shortest horizon that covers the usual time to delivery, or of the longest where none does.
 * Messages that are younger than their horizon have no outcome yet.
 */
export function usualHorizon(past: readonly CountersByCountry[]): number {
  const enough = past.filter((quarter) => sumCounters(quarter.values()).delivered >= minMessages);
  if (enough.length === 0) return 0;
  const index = horizonsMs.findIndex((ms) => {
    const covered = enough.map((quarter) => {
      const within = [...quarter.values()].reduce((sum, counters) => sum + deliveredWithin(counters, ms), 0);
      return within / sumCounters(quarter.values()).delivered;
    });
    return median(covered) >= coveredShare;
  });
  return index === -1 ? horizonsMs.length - 1 : index;
}
