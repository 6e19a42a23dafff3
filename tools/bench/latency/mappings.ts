import { longPollSeconds, pollers, shardWritesPerSecond, streamPollSeconds } from '../cost/usage.ts';
import { drawn, onAws } from './service-times.ts';
import type { Simulation } from './simulate.ts';

/** How the mappings of queue and stream are set. */
export interface Windows {
  readonly batchSize: number;
  readonly queueSeconds: number;
  readonly streamSeconds: number;
}

/** Those of a stream are no setting. */
const stream = { batchSize: 100, parallelism: 2 };

/**
 * Returns the simulation of a deployed pipeline.
 *
 * @param lastReceive whether a window ends in time, or with a receive that waits for 20 seconds
 */
export function onLambda(
  perSecond: number,
  { batchSize, queueSeconds, streamSeconds }: Windows,
  lastReceive: 'in time' | 'late' = 'in time',
): Simulation {
  return {
    perSecond,
    events: Math.max(5000, perSecond * 60),
    seed: 1,
    times: onAws,
    queue: {
      batchSize,
      windowMs: queueSeconds * 1000,
      pollers,
      maxPollers: 50,
      addPollerEveryMs: 200,
      waitsForFunction: true,
      longPollMs: lastReceive === 'late' ? longPollSeconds * 1000 : 0,
      receiveEveryMs: 0,
    },
    stream: {
      ...stream,
      windowMs: streamSeconds * 1000,
      shards: Math.max(1, Math.ceil(perSecond / shardWritesPerSecond)),
      pollEveryMs: streamPollSeconds * 1000,
    },
  };
}

/** What a local run was seen to take, milliseconds. */
export interface LocalTimes {
  /** From a post to its answer, each. */
  readonly accepted: readonly number[];
  /** Of an invocation, on average. */
  readonly worker: number;
  readonly publisher: number;
}

/** Returns the simulation of a local run, which has one poller that does not wait for the function, and looks for more every 100 ms. */
export function onThisMachine(
  perSecond: number,
  { batchSize, queueSeconds, streamSeconds }: Windows,
  { accepted, worker, publisher }: LocalTimes,
): Simulation {
  const invocation = (perInvocation: number) => {
    return { perInvocation, perEvent: 0, perRound: 0, callsAtOnce: 1, eventsPerCall: 1 };
  };
  return {
    perSecond,
    events: 5000,
    seed: 1,
    times: {
      accept: drawn(accepted),
      receive: () => 0,
      worker: invocation(worker),
      streamDelay: () => 0,
      publisher: invocation(publisher),
    },
    queue: {
      batchSize,
      windowMs: queueSeconds * 1000,
      pollers: 1,
      maxPollers: 1,
      addPollerEveryMs: 0,
      waitsForFunction: false,
      longPollMs: 0,
      receiveEveryMs: 100,
    },
    stream: {
      ...stream,
      windowMs: streamSeconds * 1000,
      shards: 1,
      pollEveryMs: streamPollSeconds * 1000,
    },
  };
}
