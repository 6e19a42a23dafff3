import { setTimeout as delay } from 'node:timers/promises';
import type { LocalBus } from '../../support/local-bus.ts';
import { type LocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { until } from '../../support/until.ts';
import { createKiller } from './killer.ts';
import { publishedChanges, publishedFacts, repeatsIn, setAside, storedHistory } from './outcome.ts';
import { arrivalsOf, endingsOf, factsOf, historyOf, type Report } from './reports.ts';
import { sendReports } from './send-reports.ts';

export interface VolumeOptions {
  readonly reports: readonly Report[];
  /** The seed of the order and the repeats. */
  readonly seed: number;
  /** The share of entries that the bus refuses, 0 to 1. */
  readonly refuseShare: number;
  /** How often worker and publisher are each killed in the middle of a batch. */
  readonly kills: number;
  /** How long the bus throttles every call once half has arrived, in seconds. */
  readonly throttledSeconds: number;
}

export interface VolumeResult {
  readonly arrivals: number;
  readonly killed: number;
  readonly refusedByWebhook: number;
  readonly refusedByBus: number;
  readonly messages: number;
  readonly facts: number;
  readonly published: number;
  /** Events published under an `eventId` that had been published before. */
  readonly repeats: number;
  /** From the first report sent until everything was stored and published. */
  readonly seconds: number;
  /** The broken promises. */
  readonly broken: readonly string[];
}

/** The settings that a pass needs. The timeout is the shortest: what a killed worker held comes again after six times that. */
export const volumeSettings = { ...unthrottled, 'sms:workerTimeoutSeconds': 10, 'sms:everyEvent': 'on' };

/**
 * Sends reports, shuffled and repeated, while worker and publisher are killed and the bus fails; then compares history and bus
 * with what they must be.
 */
export async function volumePass(
  pipeline: LocalPipeline,
  bus: LocalBus,
  { reports, seed, refuseShare, kills, throttledSeconds }: VolumeOptions,
): Promise<VolumeResult> {
  const arrivals = arrivalsOf(reports, seed);
  const killer = createKiller(pipeline, bus);
  let refusedByBus = 0;
  const throttle = async () => {
    refusedByBus += (await bus.counts()).refused;
    await bus.fail({ throttle: true });
    await delay(throttledSeconds * 1000);
    refusedByBus += (await bus.counts()).refused;
    await bus.fail({ refuseShare });
  };
  const incidents: Promise<void>[] = [];
  const every = Math.floor(arrivals.length / (kills + 1));
  const startedAt = performance.now();
  await bus.fail({ refuseShare });
  const refusedByWebhook = await sendReports(pipeline, arrivals, {
    concurrency: 50,
    onAcknowledged: (count) => {
      if (count % every === 0 && count <= kills * every) incidents.push(killer.worker(), killer.publisher());
      if (throttledSeconds > 0 && count === Math.floor(arrivals.length / 2)) incidents.push(throttle());
    },
  });
  await Promise.all(incidents);
  const history = await storedHistory(pipeline);
  const facts = factsOf(reports);
  const published = await until(
    'every report and every final state on the bus',
    async () => {
      const so = await bus.published();
      const isComplete =
        publishedFacts(so).size >= facts.size && endingsOf(publishedChanges(so)).size >= history.size;
      return isComplete && so;
    },
    180_000,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  refusedByBus += (await bus.counts()).refused;

  const result = {
    arrivals: arrivals.length,
    killed: killer.killed.size,
    refusedByWebhook,
    refusedByBus,
    messages: history.size,
    facts: facts.size,
    published: published.length,
    repeats: repeatsIn(published),
    seconds,
  };
  const changes = publishedChanges(published);
  const set = Object.entries(await setAside(pipeline));
  return {
    ...result,
    broken: [
      ...differences('history', history, historyOf(reports)),
      ...differences('reports on the bus', publishedFacts(published), facts),
      ...differences('final states on the bus', endingsOf(changes), endingsOf(reports)),
      ...changes
        .filter(({ messageId, historyEventId }) => !facts.has(`${messageId} ${historyEventId}`))
        .map(
          ({ messageId, status }) => `${messageId}: a change to ${status} is published that is not stored`,
        ),
      ...set.map(([place, count]) => `${count} in the ${place}`),
      ...(refusedByWebhook === 0 ? [] : [`the webhook refused ${refusedByWebhook} requests`]),
      // A pass in which nothing went wrong proves nothing.
      ...(result.killed === 2 * kills ? [] : [`${result.killed} processes were killed, not ${2 * kills}`]),
      ...(refusedByBus > 0 ? [] : ['the bus refused nothing']),
      ...(result.repeats > 0 ? [] : ['nothing was published again: no kill met a publisher at work']),
    ],
  };
}

/** Where two maps of one kind of thing differ. */
function differences(
  what: string,
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((key) => found.get(key) !== expected.get(key))
    .map((key) => `${what}: ${key} is ${found.get(key) ?? 'missing'}, not ${expected.get(key) ?? 'there'}`);
}
