import { rereadIntervalMs } from '../../../functions/registration/index.ts';
import type { Entry } from '../../engine/ledger.ts';
import { manyReports } from '../../engine/reports.ts';
import { Run } from '../../engine/run.ts';
import { type Outcome, type PlannedIncident, playScenario, type Scenario } from '../../engine/scenario.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { rotate, rotateAndKillSetup, rotateElsewhere } from './rotations.ts';

export interface RotationPlan {
  /** `rotating`: requests are parked during a rotation only, so one elsewhere has genuine ones rejected until it is noticed. */
  readonly park: 'rotating' | 'always';
  readonly messages: number;
  readonly genuinePerSecond: number;
  readonly forgedPerSecond: number;
  readonly incidents: readonly PlannedIncident[];
}

/** What `npm run drill -- rotation` plays. */
export const fullPlan: Omit<RotationPlan, 'park'> = {
  messages: 6_000,
  genuinePerSecond: 300,
  forgedPerSecond: 50,
  incidents: [
    { at: { second: 5 }, incident: rotate(0) },
    { at: { second: 14 }, incident: rotate(5) },
    { at: { second: 26 }, incident: rotate(0) },
    { at: { second: 35 }, incident: rotateElsewhere(0) },
    { at: { second: 47 }, incident: rotateAndKillSetup(5) },
  ],
};

/** Starts a pipeline, and sends genuine and forged events through it while its secret changes. */
export async function rotationPass(plan: RotationPlan, say: (line: string) => void): Promise<Outcome> {
  const scenario = rotationScenario(plan);
  await using run = new Run(await startLocalPipeline(scenario.settings));
  return await playScenario(run, scenario, say);
}

/** A pass in which fewer of the events were acknowledged proves nothing. */
const minAcknowledgedShare = 0.1;

function rotationScenario(plan: RotationPlan): Scenario {
  const reports = manyReports('drill', plan.messages);
  return {
    // Large batches: on a small machine the database must leave the webhook its share of the processors.
    settings: {
      'sms:workerBatchSize': 3000,
      'sms:workerBatchWindowSeconds': 15,
      'sms:workerTimeoutSeconds': 60,
      'sms:workerMaximumConcurrency': 2,
      'sms:parkUnverified': plan.park,
    },
    loads: [
      { by: 'service', reports, perSecond: plan.genuinePerSecond },
      { by: 'forger', perSecond: plan.forgedPerSecond },
    ],
    incidents: plan.incidents,
    promises: (run) => ({
      published: 'changes',
      mayReject: (entry) => plan.park === 'rotating' && isSecretUnknown(entry, run),
    }),
    proofs: ({ run: { ledger }, rotations }) => {
      const planned = plan.incidents.length;
      return [
        ...(rotations >= planned ? [] : [`the service rotated ${rotations} times, not ${planned}`]),
        ...(ledger.acknowledged >= reports.length * minAcknowledgedShare
          ? []
          : [`only ${ledger.acknowledged} of ${reports.length} events were acknowledged`]),
        ...(ledger.forged.size > 0 ? [] : ['no forged request was sent']),
      ];
    },
    patienceMs: 600_000,
    mustHaveLogged: ['setup', 'ingest', 'worker'],
  };
}

/**
 * Returns whether a report was sent before an instance of ingest had to know the secret that was rotated elsewhere: one may have read
 * the secret just before it was stored, and reads again only after an interval.
 */
export function isSecretUnknown(
  { postedAt }: Pick<Entry, 'postedAt'>,
  { rotationsElsewhere }: Pick<Run, 'rotationsElsewhere'>,
): boolean {
  const before = rotationsElsewhere.findLast(({ rotatedAt }) => rotatedAt <= postedAt);
  return before !== undefined && postedAt < before.storedBy + rereadIntervalMs;
}
