import { limits } from '../../../lib/props/limits.ts';
import { createRandom } from '../../../local/sms-service/random.ts';
import { percentile } from '../../support/statistics.ts';
import { onLambda } from './mappings.ts';
import { type Arrival, collectFromQueue, type QueueSource } from './queue-stage.ts';
import { durationOf, type ServiceTimes } from './service-times.ts';
import { endings } from './simulate.ts';

/** A burst of reports, and the limits that it meets. */
export interface BurstPlan {
  readonly name: string;
  readonly events: number;
  /** How many reports a second the service posts, and the API accepts. */
  readonly perSecond: number;
  /** How many writes a second the table takes. */
  readonly writesPerSecond: number;
  readonly times: ServiceTimes;
  readonly queue: QueueSource;
  readonly seed: number;
}

/** What happened to reports that were accepted at about the same time. */
interface Slot {
  /** The end of the slot, in seconds since the first post. */
  readonly until: number;
  /** How many were accepted and how many were stored by then, since the first post. */
  readonly accepted: number;
  readonly stored: number;
  /** Seconds from acceptance to stored of the reports accepted in this slot. Undefined where none was. */
  readonly behind?: { readonly half: number; readonly slowest: number };
}

export interface Burst {
  readonly plan: BurstPlan;
  readonly slots: readonly Slot[];
  /** Seconds since the first post. */
  readonly allAcceptedAt: number;
  readonly allStoredAt: number;
  /** The most reports that were accepted and not stored, at the end of a slot. */
  readonly maxBacklog: number;
  readonly maxBehindSeconds: number;
}

/** Returns a burst at the default limits, and one with what docs/reference/limits.md says for 10,000 events a second. */
export function burstPlans(events: number): readonly [BurstPlan, BurstPlan] {
  const { ratePerSecond, batchSize } = limits;
  const planOf = (name: string, perSecond: number, batch: number, writesPerSecond: number): BurstPlan => {
    const { times, queue, seed } = onLambda(perSecond, {
      batchSize: batch,
      queueSeconds: limits.batchWindow.preset,
      streamSeconds: 0,
    });
    return { name, events, perSecond, writesPerSecond, times, queue, seed };
  };
  // A new table on demand takes 4,000 writes a second (DynamoDB developer guide, "On-demand capacity mode").
  return [
    planOf('Default limits: 1,000 accepted a second', ratePerSecond.preset, batchSize.preset, 4000),
    planOf('Raised limits: 10,000 accepted a second', 10_000, 100, 15_000),
  ];
}

/** Returns the same burst with workers that need twice the time: how long they need on AWS is not known. */
export function withSlowWorker(plan: BurstPlan): BurstPlan {
  const { worker } = plan.times;
  const slow = {
    ...worker,
    ...{
      perInvocation: worker.perInvocation * 2,
      perEvent: worker.perEvent * 2,
      perRound: worker.perRound * 2,
    },
  };
  return { ...plan, name: `${plan.name}, workers half as fast`, times: { ...plan.times, worker: slow } };
}

/** How many slots the time until all is stored is divided into. */
const slotCount = 120;

/**
 * Follows a burst from the posts to the table. Each report is one write. A write beyond the table's rate waits for its turn; on AWS the SDK
 * retries it, and what it gives up is redelivered later. No function starts cold, and nothing fails.
 */
export function simulateBurst(plan: BurstPlan): Burst {
  const { events, perSecond, times, queue } = plan;
  const random = createRandom(plan.seed);
  const acceptedAt = Array.from(
    { length: events },
    (_, event) => (event * 1000) / perSecond + times.accept(random),
  );
  const queued = acceptedAt
    .map((at, event): Arrival => ({ event, at: at + times.receive(random) }))
    .sort((one, other) => one.at - other.at);
  const worked = collectFromQueue(queued, queue, (size) => durationOf(times.worker, size), random);
  const stored = inTurn(endings(worked, times.worker), plan.writesPerSecond);
  const waits = stored.map(({ event, at }) => {
    const accepted = acceptedAt[event] ?? Number.NaN;
    return { accepted, stored: at, behind: at - accepted };
  });
  const last = (times: readonly number[]) => times.reduce((latest, at) => Math.max(latest, at), 0);
  const [lastAccepted, lastStored] = [last(acceptedAt), last(stored.map(({ at }) => at))];
  const slotMs = lastStored / slotCount;
  const slotOf = (at: number) => Math.min(slotCount - 1, Math.floor(at / slotMs));
  const byAcceptance = Map.groupBy(waits, ({ accepted }) => slotOf(accepted));
  const byStorage = Map.groupBy(waits, (wait) => slotOf(wait.stored));
  const slots: Slot[] = [];
  for (let index = 0; index < slotCount; index += 1) {
    const before = slots.at(-1);
    const own = byAcceptance.get(index) ?? [];
    const behind = own.map((wait) => wait.behind / 1000).sort((one, other) => one - other);
    slots.push({
      until: ((index + 1) * slotMs) / 1000,
      accepted: (before?.accepted ?? 0) + own.length,
      stored: (before?.stored ?? 0) + (byStorage.get(index)?.length ?? 0),
      ...(own.length === 0
        ? {}
        : { behind: { half: percentile(behind, 50), slowest: percentile(behind, 100) } }),
    });
  }
  return {
    ...{ plan, slots, allAcceptedAt: lastAccepted / 1000, allStoredAt: lastStored / 1000 },
    maxBacklog: Math.max(...slots.map(({ accepted, stored: done }) => accepted - done)),
    maxBehindSeconds: last(waits.map(({ behind }) => behind)) / 1000,
  };
}

/** Returns when each write was made, where so many a second are possible. */
function inTurn(writes: readonly Arrival[], perSecond: number): Arrival[] {
  let nextAt = 0;
  return writes
    .toSorted((one, other) => one.at - other.at)
    .map(({ event, at }) => {
      const madeAt = Math.max(at, nextAt);
      nextAt = madeAt + 1000 / perSecond;
      return { event, at: madeAt };
    });
}
