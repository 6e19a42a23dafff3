import { createRandom } from '../../../local/sms-service/random.ts';
import { killAtWork, throttleBus } from '../../engine/kills.ts';
import { eventsPerMessage, shuffledRepeats, variedReports } from '../../engine/reports.ts';
import type { Run } from '../../engine/run.ts';
import { type Outcome, type PlannedIncident, playScenario, type Scenario } from '../../engine/scenario.ts';
import { unthrottled } from '../../support/local-pipeline.ts';

export interface VolumeOptions {
  /** Different reports; each is sent one to three times. */
  readonly reports: number;
  /** The seed of the order and the repeats. */
  readonly seed: number;
  /** How long the bus throttles every call once half has arrived, in seconds. */
  readonly throttledSeconds: number;
}

/** The share of entries that the bus refuses in each call. */
const refuseShare = 0.2;

/** How often worker and publisher are each killed in the middle of a batch. */
const kills = 3;

/** The timeout is the shortest: what a killed worker held is redelivered after six times that. */
export const volumeSettings = { ...unthrottled, 'sms:workerTimeoutSeconds': 10, 'sms:everyEvent': 'on' };

/** Sends reports, shuffled and repeated, while worker and publisher are killed and the bus fails. */
export async function volumePass(
  run: Run,
  options: VolumeOptions,
  say: (line: string) => void = () => {},
): Promise<Outcome & { readonly refusedByBus: number }> {
  await run.bus.fail({ refuseShare });
  const outcome = await playScenario(run, volumeScenario(options), say);
  const throttled = outcome.happened.get(throttleBus(options.throttledSeconds, {}).name) ?? 0;
  const refusedByBus = throttled + (await run.bus.counts()).refused;
  const broken = [...outcome.broken, ...(refusedByBus > 0 ? [] : ['the bus refused nothing'])];
  return { ...outcome, refusedByBus, broken };
}

function volumeScenario({ reports: count, seed, throttledSeconds }: VolumeOptions): Scenario {
  const reports = variedReports(Math.floor((count * 0.9) / eventsPerMessage), count);
  const arrivals = shuffledRepeats(reports, createRandom(seed));
  const after = (share: number) => ({ acknowledged: Math.floor(arrivals.length * share) });
  const killed = Array.from({ length: kills }, (_, index) => after((index + 1) / (kills + 1)));
  const incidents: PlannedIncident[] = killed.flatMap((at) => [
    { at, incident: killAtWork('worker') },
    { at, incident: killAtWork('publisher') },
  ]);
  if (throttledSeconds > 0)
    incidents.push({ at: after(1 / 2), incident: throttleBus(throttledSeconds, { refuseShare }) });
  return {
    settings: volumeSettings,
    loads: [{ by: 'sender', reports: arrivals, concurrency: 50 }],
    incidents,
    promises: () => ({ published: 'reports and changes' }),
    proofs: ({ run: { killed: ended, ledger } }) => {
      const refused = [...ledger.answers].filter(([answer]) => answer !== 200);
      return [
        ...refused.map(([answer, times]) => `the webhook answered ${times} requests with ${answer}`),
        ...(ended.size >= 2 * kills ? [] : [`${ended.size} processes were killed at work, not ${2 * kills}`]),
      ];
    },
    patienceMs: 240_000,
    mustHaveLogged: ['worker', 'publisher'],
  };
}
