import type { DriftDay } from '../../../contract/drift/drift-watch.ts';
import type { RingingAlarm } from '../../base/alarms-client.ts';
import { type Clock, errorName } from '../../base/basics.ts';
import type { WebhookState, WebhookStateTable } from '../../registration/index.ts';
import type { QueueCounts } from '../health/queues.ts';
import { failed, type NamedVerdict, skipped, type Verdict, warn } from '../health/verdict.ts';
import { byHand, judgeLastReconcile, judgeVerified } from '../health/webhook.ts';
import type { HealthPorts, WebhookHealth } from './read-health.ts';

/** What the function of a deployed console may read of a source. */
export interface DeployedSource {
  readonly source: string;
  readonly state: Pick<WebhookStateTable, 'read' | 'mismatchesLastHour'>;
  /** Reads the number of messages in the events queue. */
  readonly countEvents: () => Promise<QueueCounts>;
  /** Reads the number of messages in its dead-letter queue. */
  readonly countDeadLetters: () => Promise<QueueCounts>;
  /** Whether the pipeline registers its webhook itself. */
  readonly isRegistering: boolean;
}

/** What the function of a deployed console may read of its pipeline. */
export interface DeployedParts {
  /** `main`, and then the others. */
  readonly sources: readonly [DeployedSource, ...DeployedSource[]];
  /** Reads the alarms that are on. */
  readonly readAlarms: () => Promise<readonly RingingAlarm[]>;
  /** Reads where events of a day (yyyy-mm-dd, UTC) differ from the contract. */
  readonly readDrift: (day: string) => Promise<DriftDay | undefined>;
  readonly clock: Clock;
}

/** What only the command line reads, because it needs the secret or the SMS service. */
const elsewhere: readonly NamedVerdict[] = [
  ['api-key', skipped('not read here: sms webhook status shows it')],
  ['webhook-secret', skipped('not read here: sms webhook status shows it')],
];

/** Returns where a deployed console reads the health. */
export function deployedHealth(parts: DeployedParts): HealthPorts {
  const { sources, readAlarms, readDrift, clock } = parts;
  const [main, ...further] = sources;
  return {
    webhook: (now) => readWebhook(main, now),
    webhookChecks: ['webhook-url', 'reconcile', 'verified'],
    furtherSources: async () =>
      further.map((one) => ({ source: one.source, webhook: (now) => readWebhook(one, now) })),
    queues: () => Promise.all(sources.map(({ countEvents }) => countEvents())),
    hasAges: false,
    deadLetters: () =>
      Promise.all(
        sources.map(async ({ countDeadLetters }) => ({ ...(await countDeadLetters()), oldestSeenAt: null })),
      ),
    alarms: readAlarms,
    drift: readDrift,
    skipped: elsewhere,
    explain: (error) => failed(`not checked: ${errorName(error)}`, 'Read it again in half a minute.'),
    clock,
  };
}

async function readWebhook({ state, isRegistering }: DeployedSource, now: number): Promise<WebhookHealth> {
  const [found, mismatchesLastHour] = await Promise.all([state.read(), state.mismatchesLastHour(now)]);
  const { lastReconcile, lastVerifiedAt = null, desiredState = null } = found;
  const last =
    lastReconcile === undefined ? null : { at: lastReconcile.at, failure: lastReconcile.failure ?? null };
  const registration = isRegistering ? 'unknown' : 'by-hand';
  return {
    view: null,
    checks: [
      ['webhook-url', judgeUrl(found, isRegistering)],
      ['reconcile', judgeLastReconcile({ state: registration, desiredState, lastReconcile: last }, now)],
      ['verified', judgeVerified({ lastVerifiedAt, mismatchesLastHour }, now)],
    ],
  };
}

/** Judges what the last comparison with the SMS service recorded. */
function judgeUrl({ drift, desiredState }: WebhookState, isRegistering: boolean): Verdict {
  if (!isRegistering) return skipped(byHand);
  if (desiredState === 'deactivated')
    return warn(
      'deactivated by sms webhook deactivate',
      'sms webhook register makes the service send again.',
    );
  return drift === undefined
    ? skipped('no change was recorded: sms webhook status asks the SMS service')
    : warn(`changed elsewhere: ${drift.kinds.join(', ')}`, 'sms webhook register repairs it.');
}
