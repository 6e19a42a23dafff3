import { createRandom } from '../../../local/sms-service/random.ts';
import { percentile } from '../../support/statistics.ts';
import { type Arrival, type Batch, collectFromQueue, type QueueSource } from './queue-stage.ts';
import { durationOf, type InvocationTime, type ServiceTimes } from './service-times.ts';
import { collectFromStream, type StreamSource } from './stream-stage.ts';

export interface Simulation {
  readonly perSecond: number;
  readonly events: number;
  readonly seed: number;
  readonly times: ServiceTimes;
  readonly queue: QueueSource;
  readonly stream: StreamSource;
}

/** The mean and percentiles of a latency, milliseconds. */
export interface Latency {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface Simulated {
  /** From the post. */
  readonly stored: Latency;
  readonly published: Latency;
  /** Events of an invocation, on average. */
  readonly batches: { readonly worker: number; readonly publisher: number };
}

/**
 * Follows events that come at random (a Poisson process) from the post to the bus: HTTP API and `ingest`, queue, worker, the table's stream,
 * publisher. Each event is one change of an item of its own. No function starts cold, and nothing fails.
 */
export function simulate({ perSecond, events, seed, times, queue, stream }: Simulation): Simulated {
  const random = createRandom(seed);
  const posted: number[] = [];
  let now = 0;
  for (let event = 0; event < events; event += 1) {
    now += (-Math.log(1 - random()) * 1000) / perSecond;
    posted.push(now);
  }
  const queued = posted
    .map((at, event): Arrival => ({ event, at: at + times.accept(random) + times.receive(random) }))
    .sort((one, other) => one.at - other.at);
  const worked = collectFromQueue(queued, queue, (size) => durationOf(times.worker, size), random);
  const stored = endings(worked, times.worker);
  const shown = stored.map(({ event, at }): Arrival => ({ event, at: at + times.streamDelay(random) }));
  const sent = collectFromStream(shown, stream, (size) => durationOf(times.publisher, size), random);
  const published = endings(sent, times.publisher);
  const latency = (ends: readonly Arrival[]) =>
    latencyOf(ends.map(({ event, at }) => at - (posted[event] ?? Number.NaN)));
  return {
    stored: latency(stored),
    published: latency(published),
    batches: { worker: events / worked.length, publisher: events / sent.length },
  };
}

/** Returns when the calls of each event have ended. */
export function endings(batches: readonly Batch[], time: InvocationTime): Arrival[] {
  const round = time.callsAtOnce * time.eventsPerCall;
  return batches.flatMap(({ at, events }) =>
    events.map((event, index): Arrival => {
      const through = Math.min(events.length, (Math.floor(index / round) + 1) * round);
      return { event, at: at + durationOf(time, through) };
    }),
  );
}

export function latencyOf(values: readonly number[]): Latency {
  const sorted = values.toSorted((one, other) => one - other);
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
  };
}
