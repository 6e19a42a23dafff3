import { type Arrangement, manyReports } from '../../engine/reports.ts';
import type { Run } from '../../engine/run.ts';
import { type CpuTimes, type CpuUse, cpuBetween, readCpuTimes } from './cpu-time.ts';
import { hold, rateOf, sendAll, watch } from './load.ts';

/** The cost of a period. */
export interface Stretch {
  readonly what: string;
  readonly events: number;
  /** Between the two readings that `cpu` is the difference of. */
  readonly seconds: number;
  readonly cpu: CpuUse;
}

export interface Pass {
  /** Unlike any other pass's. */
  readonly name: string;
  readonly arrangement: Arrangement;
  readonly messages: number;
  /** Whether all events lie in the queue before the worker begins. */
  readonly isQueuedFirst: boolean;
}

/** How fast one way to bring events went; all in events a second. */
export interface PassResult extends Pass {
  readonly events: number;
  readonly accepted: number;
  readonly stored: number;
  /** Changes of status: one for each write. */
  readonly published: number;
  readonly stretches: readonly Stretch[];
}

/** Events are accepted, stored and published all at once; or first all are accepted, with no reader of the queue. */
export async function runPass(run: Run, pass: Pass): Promise<PassResult> {
  const { name, arrangement, messages, isQueuedFirst } = pass;
  const reports = manyReports(arrangement, name.replaceAll(/\W+/g, '-'), messages);
  const readings: Reading[] = [];
  const read = () => readingOf(run);
  // Each message is published at least once; its events that one write stores are published as one change of status.
  const watchProgress = () => watch(run, messages, () => readings.push(read()));
  const events = reports.length;
  const stretches: Stretch[] = [];
  let accepted: number;
  let watched: Awaited<ReturnType<typeof watch>>;
  if (isQueuedFirst) {
    await hold(run);
    const before = read();
    accepted = await sendAll(run, reports);
    stretches.push({ what: 'accepting, the worker held back', events, ...between(before, read()) });
    const watching = watchProgress();
    await run.faults.clear();
    watched = await watching;
  } else [watched, accepted] = await Promise.all([watchProgress(), sendAll(run, reports)]);
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined) throw new Error('a pass of nothing');
  const what = isQueuedFirst ? 'storing and publishing what lay in the queue' : 'all at once';
  stretches.push({ what, events, ...between(first, last) });
  return {
    ...{ ...pass, events, accepted, stretches },
    stored: rateOf(watched.stored),
    published: rateOf(watched.published),
  };
}

interface Reading {
  /** Milliseconds since whenever. */
  readonly at: number;
  readonly times: CpuTimes;
}

function readingOf({ pipeline }: Run): Reading {
  return { at: performance.now(), times: readCpuTimes(pipeline.directory) };
}

function between(from: Reading, to: Reading): Pick<Stretch, 'seconds' | 'cpu'> {
  return { seconds: (to.at - from.at) / 1000, cpu: cpuBetween(from.times, to.times) };
}
