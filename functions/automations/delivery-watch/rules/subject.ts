import { median } from 'simple-statistics';
import { type CountersByCountry, deliveredWithin, sumCounters } from './counters.ts';
import { type Measure, measureOf, minMessages, type Signal } from './measure.ts';
import { horizonsMs } from './same-hours.ts';

/** What is judged: all messages, those to a country, or the failures for one reason among all messages. */
export type Subject =
  | { readonly kind: 'all' }
  | { readonly kind: 'country'; readonly country: string }
  | { readonly kind: 'reason'; readonly reason: string };

/** Returns the key of a subject, for example "country:DE". */
export function subjectKey(subject: Subject): string {
  if (subject.kind === 'country') return `country:${subject.country}`;
  return subject.kind === 'reason' ? `reason:${subject.reason}` : 'all';
}

/** Reads a key that {@link subjectKey} made. */
export function subjectOfKey(key: string): Subject {
  const [kind, name = ''] = key.split(/:(.*)/s);
  if (kind === 'country') return { kind, country: name };
  return kind === 'reason' ? { kind, reason: name } : { kind: 'all' };
}

/** Returns the subjects that appear in these quarter hours. */
export function subjectsOf(quarters: Iterable<CountersByCountry>): Subject[] {
  const countries = new Set<string>();
  const reasons = new Set<string>();
  for (const quarter of quarters)
    for (const [country, { failures }] of quarter) {
      countries.add(country);
      for (const reason of failures.keys()) reasons.add(reason);
    }
  return [
    { kind: 'all' },
    ...[...countries].sort().map((country): Subject => ({ kind: 'country', country })),
    ...[...reasons].sort().map((reason): Subject => ({ kind: 'reason', reason })),
  ];
}

/** Returns the part of a quarter hour that a subject is about. A reason is about all messages. */
export function partOf(subject: Subject, quarter: CountersByCountry): CountersByCountry {
  if (subject.kind !== 'country') return quarter;
  const counters = quarter.get(subject.country);
  return new Map(counters === undefined ? [] : [[subject.country, counters]]);
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
