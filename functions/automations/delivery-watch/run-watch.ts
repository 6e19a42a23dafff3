import { type Clock, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { HistoryLists } from '../../history/index.ts';
import type { CounterReads } from '../../insights/index.ts';
import type { EventBus } from '../../publish/index.ts';
import { countedQuarters } from './counted-quarters.ts';
import { failedExamples } from './failed-examples.ts';
import { type CountedQuarters, quarterMs } from './rules/counters.ts';
import type { Finding } from './rules/finding.ts';
import {
  newestDue,
  type QuarterRange,
  rangeToJudge,
  sameHoursOfDays,
  sameHoursOfWeeks,
} from './rules/same-hours.ts';
import { subjectKey } from './rules/subject.ts';
import { skipQuarter, watchQuarter } from './rules/watch-quarter.ts';
import { sendsOfChanges } from './sends-of-changes.ts';
import { sentExamples } from './sent-examples.ts';
import { sendEvent, type WatchEvent, watchEvent } from './watch-events.ts';
import type { StoredWatch, WatchStore } from './watch-state-store.ts';

export interface RunWatchDependencies {
  readonly counters: Pick<CounterReads, 'quarters' | 'sends'>;
  readonly lists: Pick<HistoryLists, 'failed' | 'send'>;
  readonly store: WatchStore;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/** Thrown if an event could not be published. It is stored, and the next run tries again. */
export class WatchEventError extends Error {
  override readonly name = 'WatchEventError';
}

/** The newest quarter hours that are due and may still be judged. Those before them are skipped. */
const maxQuarters = 4;

/** For so long a send that was reported is not reported again. */
const keptMs = 24 * 3600_000;

/**
 * Judges the quarter hours that are due, and publishes what changed. A quarter hour waits until a later one is counted: only then are its own
 * messages known to be counted. One that waits for longer than {@link maxQuarters} is skipped, and the log shows it.
 * Changes are stored together with the new state before they are published, and are published again until the bus has confirmed them: at
 * least once, with the same event id.
 *
 * @throws WatchEventError if an event could not be published
 */
export async function runWatch(dependencies: RunWatchDependencies): Promise<void> {
  const { store, log, count } = dependencies;
  try {
    let stored = await store.read();
    const { missed, due } = dueQuarters(stored.judgedTo, dependencies.clock());
    if (missed.length > 0) {
      const skipped = skip(missed, stored, dependencies);
      if (!(await store.write(skipped))) return;
      stored = skipped;
    }
    for (const quarter of due) {
      const next = await judge(quarter, stored, dependencies);
      if (next === undefined) break;
      // Another run has judged it meanwhile, and publishes what it found.
      if (!(await store.write(next))) return;
      stored = next;
    }
    // Before it publishes: the alarm must not depend on the bus.
    const degraded = [...stored.state.values()].filter(({ degradedSince }) => degradedSince !== undefined);
    if (degraded.length > 0) count('subjectsDegraded', degraded.length);
    await publish(stored, dependencies);
  } catch (error) {
    log('WATCH_FAILED', { error: errorName(error) });
    throw error;
  }
}

interface DueQuarters {
  /** Those that cannot be judged any more. */
  readonly missed: readonly number[];
  readonly due: readonly number[];
}

function dueQuarters(judgedTo: number | undefined, now: number): DueQuarters {
  const newest = newestDue(now);
  const [missed, due]: [number[], number[]] = [[], []];
  for (
    let quarter = judgedTo === undefined ? newest : judgedTo + quarterMs;
    quarter <= newest;
    quarter += quarterMs
  )
    (newest - quarter < maxQuarters * quarterMs ? due : missed).push(quarter);
  return { missed, due };
}

/** Moves on without a verdict. The counters were behind, or there were no messages: nothing can be concluded from their absence. */
function skip(
  quarters: readonly number[],
  stored: StoredWatch,
  { clock, log }: Pick<RunWatchDependencies, 'clock' | 'log'>,
): StoredWatch {
  const [from = 0, judgedTo = 0] = [quarters[0], quarters.at(-1)];
  log('QUARTERS_SKIPPED', {
    from: new Date(from).toISOString(),
    until: new Date(judgedTo + quarterMs).toISOString(),
    quarters: quarters.length,
  });
  let { state } = stored;
  const events: WatchEvent[] = [];
  for (const quarter of quarters) {
    const skipped = skipQuarter(quarter, state);
    state = skipped.state;
    for (const change of skipped.changes) {
      log('DELIVERY_RECOVERED', { subject: subjectKey(change.subject), signals: '' });
      events.push(watchEvent(change, [], clock()));
    }
  }
  return { ...stored, judgedTo, state, unpublished: [...stored.unpublished, ...events] };
}

/** Returns undefined if the quarter hour has to wait. */
async function judge(
  quarter: number,
  { state, badSends, unpublished }: StoredWatch,
  { counters, lists, clock, log }: RunWatchDependencies,
): Promise<StoredWatch | undefined> {
  // Messages and replies of the future show nothing: the clock of the service is ahead.
  const later = await counters.quarters(quarter + quarterMs, clock());
  if (later.length === 0) return undefined;
  const present = await read(counters, [rangeToJudge(quarter)]);
  let counted = new Map([...present, ...(await read(counters, sameHoursOfWeeks(quarter)))]);
  let watched = watchQuarter(quarter, counted, state);
  if (watched.lacksHistory) {
    counted = new Map([...(await read(counters, sameHoursOfDays(quarter))), ...counted]);
    watched = watchQuarter(quarter, counted, state);
  }
  const sent = await sendsOfChanges(counters, lists, watched.changes, clock());
  if (sent.parts.length > 0) watched = watchQuarter(quarter, counted, state, sent.parts);
  const events: WatchEvent[] = [];
  for (const change of watched.changes) {
    const { kind, subject, findings } = change;
    log(kind === 'degraded' ? 'DELIVERY_DEGRADED' : 'DELIVERY_RECOVERED', {
      subject: subjectKey(subject),
      signals: signalsOf(findings),
    });
    const failed = await failedExamples(lists, change, clock());
    const examples = failed.length > 0 || kind === 'recovered' ? failed : sentExamples(sent.messages, change);
    events.push(watchEvent(change, examples, clock()));
  }
  const reported = new Map([...badSends].filter(([, since]) => quarter - since < keptMs));
  for (const bad of watched.badSends) {
    if (reported.has(bad.sendId)) continue;
    reported.set(bad.sendId, bad.since);
    log('SEND_DEGRADED', { sendId: bad.sendId, signals: signalsOf(bad.findings) });
    events.push(sendEvent(bad, sentExamples(sent.messages, bad), clock()));
  }
  return {
    judgedTo: quarter,
    state: watched.state,
    badSends: reported,
    unpublished: [...unpublished, ...events],
  };
}

const signalsOf = (findings: readonly Finding[]) => findings.map(({ signal }) => signal).join(', ');

async function read(
  counters: RunWatchDependencies['counters'],
  ranges: readonly QuarterRange[],
): Promise<CountedQuarters> {
  const found = await Promise.all(ranges.map(({ from, to }) => counters.quarters(from, to + quarterMs)));
  return countedQuarters(found.flat());
}

async function publish(
  stored: StoredWatch,
  { bus, store, log }: Pick<RunWatchDependencies, 'bus' | 'store' | 'log'>,
): Promise<void> {
  if (stored.unpublished.length === 0) return;
  const outcomes = await bus.publish(stored.unpublished);
  const left = stored.unpublished.filter((_, index): _ is WatchEvent => outcomes[index]?.kind === 'failed');
  for (const outcome of outcomes)
    if (outcome.kind === 'refused') log('WATCH_EVENT_REFUSED', { error: outcome.error });
  await store.write({ ...stored, unpublished: left });
  if (left.length > 0) throw new WatchEventError(`${left.length} events were not published`);
}
