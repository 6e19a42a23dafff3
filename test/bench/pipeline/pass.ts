import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { type Arrangement, type Arrival, arrivalsOf } from './arrivals.ts';
import { type CpuUse, cpuBetween, readCpuTimes } from './cpu-time.ts';
import type { Load } from './load.ts';
import { type Progress, rateOf } from './progress-rate.ts';

/** What a stretch of time has cost. */
export interface Stretch {
  readonly what: string;
  readonly events: number;
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
  readonly stretches: readonly Stretch[];
}

export interface Pass {
  readonly arrangement: Arrangement;
  /** Unlike any other pass's. */
  readonly series: string;
  readonly messages: number;
}

/** First all events are accepted, with nobody taking them from the queue, then all are stored and published. */
export async function queueThenStore(pipeline: LocalPipeline, load: Load, pass: Pass): Promise<PassResult> {
  const arrivals = arrivalsOf(pass.arrangement, pass.series, pass.messages);
  const stretch = startStretches(pipeline.directory, arrivals.length);
  await load.hold();
  stretch.begin();
  const accepted = await sendAll(load, arrivals);
  const accepting = stretch.end('accepting, the worker held back', arrivals.length / accepted);
  stretch.begin();
  // Each message is told of once at least; the events of it that one write stores are told as one change of status.
  const watching = load.watch(pass.messages);
  await load.release();
  const { stored, published } = await watching;
  const storing = stretch.end('storing and publishing what lay in the queue', secondsOf(stored, published));
  return {
    arrangement: pass.arrangement,
    events: arrivals.length,
    isQueuedFirst: true,
    accepted,
    stored: rateOf(stored),
    published: rateOf(published),
    stretches: [accepting, storing],
  };
}

/** Events are accepted, stored and published all at once. */
export async function stream(pipeline: LocalPipeline, load: Load, pass: Pass): Promise<PassResult> {
  const arrivals = arrivalsOf(pass.arrangement, pass.series, pass.messages);
  const stretch = startStretches(pipeline.directory, arrivals.length);
  stretch.begin();
  const [{ stored, published }, accepted] = await Promise.all([
    load.watch(pass.messages),
    sendAll(load, arrivals),
  ]);
  return {
    arrangement: pass.arrangement,
    events: arrivals.length,
    isQueuedFirst: false,
    accepted,
    stored: rateOf(stored),
    published: rateOf(published),
    stretches: [stretch.end('all at once', secondsOf(stored, published))],
  };
}

/** From the first event seen to be stored to the last change of status seen to be published. */
function secondsOf(stored: readonly Progress[], published: readonly Progress[]): number {
  const begin = stored.find(({ count }) => count > 0)?.seconds ?? Number.NaN;
  const all = published.at(-1)?.count;
  return (published.find(({ count }) => count === all)?.seconds ?? Number.NaN) - begin;
}

/** @throws Error where one was not answered with 200 */
async function sendAll(load: Load, arrivals: readonly Arrival[]): Promise<number> {
  const { accepted, seconds } = await load.send(arrivals);
  if (accepted < arrivals.length)
    throw new Error(`${arrivals.length - accepted} of ${arrivals.length} events were not accepted`);
  return accepted / seconds;
}

function startStretches(directory: string, events: number) {
  let before = readCpuTimes(directory);
  return {
    begin() {
      before = readCpuTimes(directory);
    },
    /** @param seconds of work in it */
    end: (what: string, seconds: number): Stretch => ({
      what,
      events,
      seconds,
      cpu: cpuBetween(before, readCpuTimes(directory)),
    }),
  };
}
