import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { type Arrangement, type Arrival, arrivalsOf } from './arrivals.ts';
import { type CpuTimes, type CpuUse, cpuBetween, readCpuTimes } from './cpu-time.ts';
import { type Load, rateOf } from './load.ts';

/** The cost of a period. */
export interface Stretch {
  readonly what: string;
  readonly events: number;
  /** Between the two readings that `cpu` is the difference of. */
  readonly seconds: number;
  readonly cpu: CpuUse;
}

/** How fast one way to bring events went; all in events a second. */
export interface PassResult {
  readonly arrangement: Arrangement;
  readonly events: number;
  /** Whether all events lay in the queue before the worker began. */
  readonly isQueuedFirst: boolean;
  readonly accepted: number;
  readonly stored: number;
  /** Changes of status: one for each write. */
  readonly published: number;
  /** The longest time in which nothing was stored or published; minutes where a batch failed and had to come again. */
  readonly longestPauseSeconds: number;
  readonly stretches: readonly Stretch[];
}

export interface Pass {
  readonly arrangement: Arrangement;
  /** Unlike any other pass's. */
  readonly series: string;
  readonly messages: number;
}

/** First all events are accepted, with no reader of the queue, then all are stored and published. */
export async function queueThenStore(pipeline: LocalPipeline, load: Load, pass: Pass): Promise<PassResult> {
  const arrivals = arrivalsOf(pass.arrangement, pass.series, pass.messages);
  await load.hold();
  const before = readingOf(pipeline);
  const accepted = await sendAll(load, arrivals);
  const accepting = between(before, readingOf(pipeline));
  // Each message is published at least once; its events that one write stores are published as one change of status.
  const watching = watch(pipeline, load, pass.messages);
  await load.release();
  const { stored, published, longestPauseSeconds, work } = await watching;
  return {
    arrangement: pass.arrangement,
    events: arrivals.length,
    isQueuedFirst: true,
    accepted,
    stored: rateOf(stored),
    published: rateOf(published),
    longestPauseSeconds,
    stretches: [
      { what: 'accepting, the worker held back', events: arrivals.length, ...accepting },
      { what: 'storing and publishing what lay in the queue', events: arrivals.length, ...work },
    ],
  };
}

/** Events are accepted, stored and published all at once. */
export async function stream(pipeline: LocalPipeline, load: Load, pass: Pass): Promise<PassResult> {
  const arrivals = arrivalsOf(pass.arrangement, pass.series, pass.messages);
  const [{ stored, published, longestPauseSeconds, work }, accepted] = await Promise.all([
    watch(pipeline, load, pass.messages),
    sendAll(load, arrivals),
  ]);
  return {
    arrangement: pass.arrangement,
    events: arrivals.length,
    isQueuedFirst: false,
    accepted,
    stored: rateOf(stored),
    published: rateOf(published),
    longestPauseSeconds,
    stretches: [{ what: 'all at once', events: arrivals.length, ...work }],
  };
}

/** With what was used from the first progress that was seen to the last. */
async function watch(pipeline: LocalPipeline, load: Load, changes: number) {
  const readings: Reading[] = [];
  const watched = await load.watch(changes, () => readings.push(readingOf(pipeline)));
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined) throw new Error('a pass of nothing');
  const pauses = readings.slice(1).map(({ at }, index) => at - (readings[index]?.at ?? at));
  return { ...watched, work: between(first, last), longestPauseSeconds: Math.max(0, ...pauses) / 1000 };
}

/** @throws Error where one was not answered with 200 */
async function sendAll(load: Load, arrivals: readonly Arrival[]): Promise<number> {
  const { accepted, seconds } = await load.send(arrivals);
  if (accepted < arrivals.length)
    throw new Error(`${arrivals.length - accepted} of ${arrivals.length} events were not accepted`);
  return accepted / seconds;
}

interface Reading {
  /** Milliseconds since whenever. */
  readonly at: number;
  readonly times: CpuTimes;
}

function readingOf({ directory }: LocalPipeline): Reading {
  return { at: performance.now(), times: readCpuTimes(directory) };
}

function between(from: Reading, to: Reading): Pick<Stretch, 'seconds' | 'cpu'> {
  return { seconds: (to.at - from.at) / 1000, cpu: cpuBetween(from.times, to.times) };
}
