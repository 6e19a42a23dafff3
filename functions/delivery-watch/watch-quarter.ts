import { baselineOf, scoreOf } from './baseline.ts';
import { advanceChart, type ChartState, chartAtRest, type Step } from './control-chart.ts';
import { type CountedQuarters, type CountersByCountry, quarterMs, sumCounters } from './counters.ts';
import { minMessages, type Signal } from './measure.ts';
import { horizonsMs, quartersOf, rangeToJudge, sameHoursOfDays, sameHoursOfWeeks } from './same-hours.ts';
import {
  measuresOf,
  partOf,
  type Subject,
  subjectKey,
  subjectOfKey,
  subjectsOf,
  usualHorizon,
} from './subject.ts';

/** What the watch remembers of a subject between quarter hours. */
interface SubjectState {
  /** The start of the quarter hour that was found degraded; undefined where the subject is normal. */
  readonly degradedSince?: number;
  /** Quarter hours in a row without a verdict, while the subject is degraded. */
  readonly silent: number;
  readonly charts: { readonly [S in Signal]?: ChartState };
}

/** What the watch remembers, by key of the subject. A subject without an entry is normal. */
export type WatchState = ReadonlyMap<string, SubjectState>;

/** What one quarter hour says about one signal. */
export interface Finding {
  readonly signal: Signal;
  /** A share from 0 to 1, or a median time in milliseconds. */
  readonly figure: number;
  readonly usual: number;
  /** Standard deviations worse than usual. */
  readonly score: number;
  readonly messages: number;
  /** The start of the quarter hour, milliseconds since the epoch. */
  readonly quarter: number;
  /** Messages were judged this long after their first report, milliseconds. */
  readonly horizonMs: number;
  readonly comparedWith: 'weeks' | 'days';
  /** The quarter hours that it was compared with. */
  readonly quarters: number;
}

/** A subject that became degraded, or recovered. */
export interface SubjectChange {
  readonly kind: 'degraded' | 'recovered';
  readonly subject: Subject;
  /** The start of the quarter hour that was found degraded, in both changes of an incident. */
  readonly since: number;
  /** The signals that are out; after a recovery, those that were judged last. Empty where too few messages ended the incident. */
  readonly findings: readonly Finding[];
}

export interface WatchedQuarter {
  readonly state: WatchState;
  readonly changes: readonly SubjectChange[];
  /** The figures of all subjects that were judged, by key. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Whether a subject has enough messages now, but too little history in the weeks before. */
  readonly lacksHistory: boolean;
}

/** A degraded subject without enough messages for a day is taken for recovered: nothing says any more that it is degraded. */
const maxSilent = 96;

/**
 * The sizes of effects by signal: a drop or a rise in points of a hundred, and the factor of a time. A notable one is worth an event if it lasts, a
 * large one at once, and half of a notable one is normal again.
 */
const effectSizes: Readonly<Record<Signal, { readonly notable: number; readonly large: number }>> = {
  'delivery-rate': { notable: 0.05, large: 0.12 },
  'failure-share': { notable: 0.02, large: 0.03 },
  'time-to-delivery': { notable: Math.log(1.5), large: Math.log(1.5) },
};

/** A drop of all messages that is worth an event at once. It is smaller than that of a country, because single sends change it less. */
const largeDropOfAll = 0.05;

/**
 * Judges one quarter hour: compares each signal of each subject with the same hours of the weeks before, and with those of the days before
 * where the weeks have too few quarter hours with enough messages. A signal that cannot be judged keeps its state.
 *
 * @param quarter the start of the newest quarter hour that is due; slow subjects are judged on one before it
 * @param counted the quarter hours of `rangeToJudge`, and of the hours to compare with as far as they are known
 */
export function watchQuarter(quarter: number, counted: CountedQuarters, state: WatchState): WatchedQuarter {
  const judged = quartersOf([rangeToJudge(quarter)]);
  const present = judged.flatMap((start) => counted.get(start) ?? []);
  const subjects = new Map(subjectsOf(present).map((subject) => [subjectKey(subject), subject]));
  for (const key of state.keys()) subjects.set(key, subjectOfKey(key));
  const at = (starts: readonly number[]) => starts.flatMap((start) => counted.get(start) ?? []);
  const past = {
    weeks: at(quartersOf(sameHoursOfWeeks(quarter))),
    days: at(quartersOf(sameHoursOfDays(quarter))),
  };
  const next = new Map<string, SubjectState>();
  const changes: SubjectChange[] = [];
  const findings = new Map<string, readonly Finding[]>();
  let lacksHistory = false;
  for (const [key, subject] of subjects) {
    const parts = (quarters: readonly CountersByCountry[]) =>
      quarters.map((each) => partOf(subject, each)).filter(({ size }) => size > 0);
    const [weeks, days] = [parts(past.weeks), parts(past.days)];
    const late = usualHorizon([...weeks, ...days]);
    const start = quarter - late * quarterMs;
    const [current] = parts(at([start]));
    const judgement = (comparedWith: Finding['comparedWith'], quarters: readonly CountersByCountry[]) =>
      current === undefined ? [] : findingsOf(subject, current, { comparedWith, quarters, late, start });
    const byWeeks = judgement('weeks', weeks);
    if (byWeeks.some((finding) => finding === 'no-history')) lacksHistory = true;
    const byDays = lacksHistory ? judgement('days', days) : [];
    const found = byWeeks.flatMap((finding, index) => {
      const chosen = finding === 'no-history' ? byDays[index] : finding;
      return chosen === undefined || typeof chosen === 'string' ? [] : [chosen];
    });
    if (found.length > 0) findings.set(key, found);
    const { subjectState, change } = advanceSubject(subject, state.get(key), found, start);
    if (subjectState !== undefined) next.set(key, subjectState);
    if (change !== undefined) changes.push(change);
  }
  return { state: next, changes, findings, lacksHistory };
}

interface History {
  readonly comparedWith: Finding['comparedWith'];
  readonly quarters: readonly CountersByCountry[];
  /** Index of the horizon. */
  readonly late: number;
  /** The quarter hour that is judged. */
  readonly start: number;
}

/** Compares each signal of a subject with its history. */
function findingsOf(
  subject: Subject,
  current: CountersByCountry,
  { comparedWith, quarters, late, start }: History,
): (Finding | 'few-messages' | 'no-history')[] {
  return measuresOf(subject, late, quarters).map(([signal, measure]) => {
    const measured = measure.of(current);
    const messages = sumCounters(current.values()).messages;
    if (measured === undefined) return messages < minMessages ? 'few-messages' : 'no-history';
    const baseline = baselineOf(quarters.flatMap((each) => measure.of(each) ?? []));
    if (baseline === undefined) return 'no-history';
    const score = scoreOf(measured, baseline);
    return {
      signal,
      figure: measured.figure,
      usual: measure.usual(measured, measured.value - baseline.value),
      score: signal === 'delivery-rate' ? -score : score,
      messages: measured.messages,
      quarter: start,
      horizonMs: horizonsMs[late] ?? 0,
      comparedWith,
      quarters: baseline.quarters,
    };
  });
}

function stepOf(subject: Subject, { signal, figure, usual, score }: Finding): Step {
  const worse = {
    'delivery-rate': usual - figure,
    'failure-share': figure - usual,
    'time-to-delivery': Math.log(figure / Math.max(usual, 1)),
  }[signal];
  const { notable, large } = effectSizes[signal];
  const isDropOfAll = subject.kind === 'all' && signal === 'delivery-rate';
  if (worse >= (isDropOfAll ? largeDropOfAll : large)) return { score, effect: 'large' };
  if (worse >= notable) return { score, effect: 'notable' };
  return { score, effect: worse >= notable / 2 ? 'small' : 'none' };
}

interface Advanced {
  /** Undefined where nothing needs to be remembered. */
  readonly subjectState: SubjectState | undefined;
  readonly change: SubjectChange | undefined;
}

/** Advances the charts of a subject. It is degraded while one of its signals is out, and changes once in each direction. */
function advanceSubject(
  subject: Subject,
  before: SubjectState | undefined,
  found: readonly Finding[],
  quarter: number,
): Advanced {
  const charts: { [S in Signal]?: ChartState } = { ...before?.charts };
  for (const finding of found)
    charts[finding.signal] = advanceChart(charts[finding.signal] ?? chartAtRest, stepOf(subject, finding));
  const since = before?.degradedSince;
  const silent = since === undefined || found.length > 0 ? 0 : (before?.silent ?? 0) + 1;
  const isOut = Object.values(charts).some((chart) => chart.isOut) && silent < maxSilent;
  if (isOut)
    return {
      subjectState: { degradedSince: since ?? quarter, silent, charts },
      change:
        since === undefined
          ? {
              kind: 'degraded',
              subject,
              since: quarter,
              findings: found.filter(({ signal }) => charts[signal]?.isOut),
            }
          : undefined,
    };
  const isAtRest = silent >= maxSilent || Object.values(charts).every(({ sum }) => sum === 0);
  return {
    subjectState: isAtRest ? undefined : { silent: 0, charts },
    change: since === undefined ? undefined : { kind: 'recovered', subject, since, findings: found },
  };
}
