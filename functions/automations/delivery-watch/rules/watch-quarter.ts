import { splitId } from '../../../../contract/events/source-id.ts';
import { addToSum, advanceChart, type ChartState, chartAtRest } from './control-chart.ts';
import { type CountedQuarters, type CountersByCountry, quarterMs } from './counters.ts';
import { type Finding, findingsOf, type History, stepOf } from './finding.ts';
import type { Signal } from './measure.ts';
import { blameSend, countriesOf, largeSends, type SendPart, withoutSend } from './one-send.ts';
import { quartersOf, rangeToJudge, sameHoursOfDays, sameHoursOfWeeks } from './same-hours.ts';
import { slowFinding, slowLate } from './slow-share.ts';
import { type FiguresOfSource, figuresOfSources } from './source-figures.ts';
import { partOf, type Subject, subjectKey, subjectOfKey, subjectsOf, usualHorizon } from './subject.ts';

/** What the watch remembers of a subject between quarter hours. */
interface SubjectState {
  /** The start of the quarter hour that was found degraded; undefined if the subject is normal. */
  readonly degradedSince?: number;
  /** Quarter hours in a row without a verdict, while the subject is degraded. */
  readonly silent: number;
  /** Quarter hours in a row in which one send had too many of the messages to judge the others. */
  readonly held?: number;
  readonly charts: { readonly [S in Signal]?: ChartState };
}

/** What the watch remembers, by key of the subject. A subject without an entry is normal. */
export type WatchState = ReadonlyMap<string, SubjectState>;

/** A subject that became degraded, or recovered. */
export interface SubjectChange {
  readonly kind: 'degraded' | 'recovered';
  readonly subject: Subject;
  /** The start of the quarter hour that was found degraded, in both changes of an incident. */
  readonly since: number;
  /** The signals that are out; after a recovery, those that were judged last. Empty if too few messages ended the incident. */
  readonly findings: readonly Finding[];
  /** What the other sources had in the same quarter hour, if the subject is a source and the quarter hour was judged. */
  readonly otherSources?: readonly FiguresOfSource[];
}

/** A send that alone made a subject worse than usual. */
export interface BadSend {
  readonly sendId: string;
  /** The subject that is as usual without the send. */
  readonly subject: Subject;
  /** The start of the quarter hour. */
  readonly since: number;
  /** What is worse than usual, with the figures of the send. */
  readonly findings: readonly Finding[];
}

export interface WatchedQuarter {
  readonly state: WatchState;
  readonly changes: readonly SubjectChange[];
  /** Sends that explain why subjects would have been degraded. A send is among them in each such quarter hour. */
  readonly badSends: readonly BadSend[];
  /** The figures of all subjects that were judged, by key. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Whether a subject has enough messages now, but too little history in the weeks before. */
  readonly lacksHistory: boolean;
}

/** A degraded subject without enough messages for a day is taken for recovered: nothing says any more that it is degraded. */
const maxSilent = 96;

/** For so many quarter hours a subject that would be degraded waits, because one send has nearly all of its messages. */
const maxHeld = 1;

/** The counters of a subject in one of the quarter hours that it is judged on, or a part of them. */
type Selection = (current: CountersByCountry, start: number) => CountersByCountry;

const noMessages: CountersByCountry = new Map();

/**
 * Judges one quarter hour: compares each signal of each subject with the same hours of the weeks before, and with those of the days before
 * if the weeks have too few quarter hours with enough messages. A signal that cannot be judged keeps its state. A subject that would be
 * degraded, and is as usual without one of the sends, is judged without it.
 *
 * @param quarter the start of the newest quarter hour that is due; slow subjects are judged on one before it, and so is the share of slow
 *   messages of a source
 * @param counted the quarter hours of `rangeToJudge`, and of the hours to compare with as far as they are known
 * @param sends what is known of sends in the quarter hours of `rangeToJudge`
 */
export function watchQuarter(
  quarter: number,
  counted: CountedQuarters,
  state: WatchState,
  sends: readonly SendPart[] = [],
): WatchedQuarter {
  const at = (starts: readonly number[]) => starts.flatMap((start) => counted.get(start) ?? []);
  const present = at(quartersOf([rangeToJudge(quarter)]));
  const past = {
    weeks: at(quartersOf(sameHoursOfWeeks(quarter))),
    days: at(quartersOf(sameHoursOfDays(quarter))),
  };
  const subjects = new Map(
    subjectsOf(present, [...past.weeks, ...past.days]).map((subject) => [subjectKey(subject), subject]),
  );
  for (const key of state.keys()) subjects.set(key, subjectOfKey(key));
  const next = new Map<string, SubjectState>();
  const changes: SubjectChange[] = [];
  const badSends: BadSend[] = [];
  const findings = new Map<string, readonly Finding[]>();
  let lacksHistory = false;
  // Reasons are about all messages.
  const lateOfAll = usualHorizon([...past.weeks, ...past.days].map(({ countries }) => countries));
  for (const [key, subject] of subjects) {
    const parts = (quarters: typeof present) =>
      quarters.map((each) => partOf(subject, each)).filter(({ size }) => size > 0);
    const [weeks, days] = [parts(past.weeks), parts(past.days)];
    const hasOwnTimes = subject.kind === 'country' || subject.kind === 'source';
    const late = hasOwnTimes ? usualHorizon([...weeks, ...days]) : lateOfAll;
    const start = quarter - late * quarterMs;
    const compare = (current: CountersByCountry): readonly Finding[] => {
      if (current.size === 0) return [];
      const compareWith = (comparedWith: History['comparedWith'], quarters: readonly CountersByCountry[]) =>
        findingsOf(subject, current, { comparedWith, quarters, late, start });
      const byWeeks = compareWith('weeks', weeks);
      if (byWeeks.some((finding) => finding === 'no-history')) lacksHistory = true;
      const byDays = lacksHistory ? compareWith('days', days) : [];
      return byWeeks.flatMap((finding, index) => {
        const chosen = finding === 'no-history' ? byDays[index] : finding;
        return chosen === undefined || typeof chosen === 'string' ? [] : [chosen];
      });
    };
    const judge = (select: Selection): readonly Finding[] => {
      const selected = (from: number) => {
        const [current] = parts(at([from]));
        return current === undefined ? noMessages : select(current, from);
      };
      const found = compare(selected(start));
      if (subject.kind !== 'source') return found;
      const slowStart = quarter - Math.max(late, slowLate) * quarterMs;
      const known = { weeks, days, present: parts(present) };
      const slow = slowFinding(selected(slowStart), known, slowStart);
      return slow === undefined ? found : [...found, slow];
    };
    const found = judge((current) => current);
    if (found.length > 0) findings.set(key, found);
    const advance = (by: readonly Finding[]) => advanceSubject(subject, state.get(key), by, start);
    let advanced = advance(found);
    if (advanced.change?.kind === 'degraded') {
      const { findings: out, since } = advanced.change;
      const quarters = new Set(out.map((finding) => finding.quarter));
      const blamed = largeSends(subject, sends, counted, quarters).map((send) => {
        const rest = judge((current, from) => withoutSend(current, send.at(from)));
        const without = advance(rest);
        const isBlamed = without.change === undefined ? blameSend(out, rest) : 'no';
        return { send, without, isBlamed, left: Math.max(...rest.map(({ score }) => score)) };
      });
      const [cause] = blamed
        .filter(({ isBlamed }) => isBlamed === 'yes')
        .sort((one, other) => one.left - other.left);
      const before = state.get(key);
      const held = before?.held ?? 0;
      const signalsOut = (all: readonly Finding[]) =>
        all.filter(({ signal }) => out.some((finding) => finding.signal === signal));
      if (cause !== undefined) {
        const { send } = cause;
        advanced = cause.without;
        // In an incident of a country all of its messages are bad, and a send to it may be most of them.
        const places: Selection = (current, from) => countriesOf(send.at(from), current);
        const others: Selection = (current, from) => withoutSend(places(current, from), send.at(from));
        if (blameSend(signalsOut(judge(places)), judge(others)) === 'yes')
          badSends.push({
            sendId: send.sendId,
            subject,
            since,
            findings: signalsOut(judge((_, from) => send.at(from))),
          });
      } else if (held < maxHeld && blamed.some(({ isBlamed }) => isBlamed === 'unclear')) {
        advanced = { subjectState: holdSubject(before, found), change: undefined };
      }
    }
    if (advanced.subjectState !== undefined) next.set(key, advanced.subjectState);
    if (advanced.change !== undefined) changes.push(withOtherSources(advanced.change, counted, quarter));
  }
  return { state: next, changes, badSends: badSends.filter(isOfNormalSource(next)), findings, lacksHistory };
}

/** In an incident of a source its sends are bad too, and are not reported. */
function isOfNormalSource(state: WatchState) {
  return ({ sendId }: BadSend): boolean => {
    const { source } = splitId(sendId);
    return state.get(subjectKey({ kind: 'source', source }))?.degradedSince === undefined;
  };
}

/** Adds the figures of the other sources to a change of a source. */
function withOtherSources(change: SubjectChange, counted: CountedQuarters, quarter: number): SubjectChange {
  const { subject, findings } = change;
  const [finding] = findings;
  if (subject.kind !== 'source' || finding === undefined) return change;
  const all = figuresOfSources(counted, finding.quarter, quarter);
  return { ...change, otherSources: all.filter(({ source }) => source !== subject.source) };
}

/** Goes on without a verdict on a quarter hour, which ends the incident of a subject as too few messages do. Sums are kept. */
export function skipQuarter(quarter: number, state: WatchState): Pick<WatchedQuarter, 'state' | 'changes'> {
  const next = new Map(state);
  const changes: SubjectChange[] = [];
  for (const [key, before] of state) {
    if (before.degradedSince === undefined) continue;
    const { subjectState, change } = advanceSubject(subjectOfKey(key), before, [], quarter);
    if (subjectState === undefined) next.delete(key);
    else next.set(key, subjectState);
    if (change !== undefined) changes.push(change);
  }
  return { state: next, changes };
}

/** Adds to the sums of a subject's signals, and removes nothing. */
function holdSubject(before: SubjectState | undefined, found: readonly Finding[]): SubjectState {
  const charts: { [S in Signal]?: ChartState } = { ...before?.charts };
  for (const { signal, score } of found) charts[signal] = addToSum(charts[signal] ?? chartAtRest, score);
  return { silent: 0, held: (before?.held ?? 0) + 1, charts };
}

interface Advanced {
  /** Undefined if nothing needs to be remembered. */
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
  if (isOut) {
    const out = found.filter(({ signal }) => charts[signal]?.isOut);
    const begin = since ?? Math.min(quarter, ...out.map((finding) => finding.quarter));
    return {
      subjectState: { degradedSince: begin, silent, charts },
      change: since === undefined ? { kind: 'degraded', subject, since: begin, findings: out } : undefined,
    };
  }
  const isAtRest = silent >= maxSilent || Object.values(charts).every(({ sum }) => sum === 0);
  return {
    subjectState: isAtRest ? undefined : { silent: 0, charts },
    change: since === undefined ? undefined : { kind: 'recovered', subject, since, findings: found },
  };
}
