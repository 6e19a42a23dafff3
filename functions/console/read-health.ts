import type { DriftDay } from '../../contract/drift/drift-watch.ts';
import type { RingingAlarm } from '../aws/cloudwatch-alarms.ts';
import { judgeAlarms } from '../health/alarms.ts';
import { judgeDrift, mismatchesOf } from '../health/contract-drift.ts';
import { judgeDeadLetters, judgeQueues, type QueueCounts } from '../health/queues.ts';
import { readAtMostEvery } from '../health/read-at-most-every.ts';
import { failed, skipped, type Verdict, warn } from '../health/verdict.ts';
import { byHand, judgeLastReconcile, judgeVerified } from '../health/webhook.ts';
import type { HealthView } from '../query/views/console-schemas.ts';
import type { WebhookState, WebhookStateTable } from '../registration/webhook-state-store.ts';
import { type Clock, errorName } from '../runtime/basics.ts';

export interface HealthParts {
  readonly state: Pick<WebhookStateTable, 'read' | 'mismatchesLastHour'>;
  /** Reads the number of messages in the events queue. */
  readonly countEvents: () => Promise<QueueCounts>;
  /** Reads the number of messages in its dead-letter queue. */
  readonly countDeadLetters: () => Promise<QueueCounts>;
  /** Reads the alarms that are on. */
  readonly readAlarms: () => Promise<readonly RingingAlarm[]>;
  /** Reads where events of a day (yyyy-mm-dd, UTC) differ from the contract. */
  readonly readDrift: (day: string) => Promise<DriftDay | undefined>;
  /** Whether the pipeline registers its webhook itself. */
  readonly isRegistering: boolean;
  readonly clock: Clock;
}

type NamedVerdict = readonly [check: string, verdict: Verdict];

/** What only the command line reads, because it needs the secret or the SMS service. */
const elsewhere: readonly NamedVerdict[] = [
  ['api-key', skipped('not read here: sms webhook status shows it')],
  ['webhook-secret', skipped('not read here: sms webhook status shows it')],
];

/** Reads what a deployed console shows of the state of its pipeline. A part that cannot be read is null. Never throws. */
async function readHealth(parts: HealthParts): Promise<HealthView> {
  const now = parts.clock();
  const day = new Date(now).toISOString().slice(0, 10);
  const [webhook, queue, deadLetters, alarms, drift] = await Promise.all([
    part(['webhook-url', 'reconcile', 'verified'], () => readWebhook(parts, now)),
    part(['queues'], async () => {
      const value = { ...(await parts.countEvents()), oldestSeconds: null };
      return { value, checks: [['queues', judgeQueues([{ ...value, oldestSeconds: undefined }], false)]] };
    }),
    part(['dead-letters'], async () => {
      const value = { ...(await parts.countDeadLetters()), oldestSeenAt: null };
      return { value, checks: [['dead-letters', judgeDeadLetters([value], now)]] };
    }),
    part(['alarms'], async () => {
      const value = await parts.readAlarms();
      return { value, checks: [['alarms', judgeAlarms(value)]] };
    }),
    part(['contract-drift'], async () => {
      const value = mismatchesOf(await parts.readDrift(day));
      return { value, checks: [['contract-drift', judgeDrift(value)]] };
    }),
  ]);
  const checks = [
    ...webhook.checks,
    ...queue.checks,
    ...deadLetters.checks,
    ...alarms.checks,
    ...drift.checks,
    ...elsewhere,
  ];
  return {
    checkedAt: new Date(now).toISOString(),
    healthy: checks.every(([, { state }]) => state !== 'failed'),
    checks: checks.map(([check, { state, found, hint = null }]) => ({ check, state, found, hint })),
    webhook: null,
    queues: queue.value && [queue.value],
    deadLetters: deadLetters.value && [deadLetters.value],
    alarms: alarms.value?.map((alarm) => ({ ...alarm })) ?? null,
    contractDrift: drift.value && { day, mismatches: drift.value },
  };
}

interface Part<T> {
  readonly value: T | null;
  readonly checks: readonly NamedVerdict[];
}

async function part<T>(names: readonly string[], read: () => Promise<Part<T>>): Promise<Part<T>> {
  try {
    return await read();
  } catch (error) {
    const verdict = failed(`not checked: ${errorName(error)}`, 'Read it again in half a minute.');
    return { value: null, checks: names.map((name) => [name, verdict]) };
  }
}

async function readWebhook({ state, isRegistering }: HealthParts, now: number): Promise<Part<null>> {
  const [found, mismatchesLastHour] = await Promise.all([state.read(), state.mismatchesLastHour(now)]);
  const { lastReconcile, lastVerifiedAt = null, wanted = null } = found;
  const last =
    lastReconcile === undefined ? null : { at: lastReconcile.at, failure: lastReconcile.failure ?? null };
  const registration = isRegistering ? 'unknown' : 'by-hand';
  return {
    value: null,
    checks: [
      ['webhook-url', judgeUrl(found, isRegistering)],
      ['reconcile', judgeLastReconcile({ state: registration, wanted, lastReconcile: last }, now)],
      ['verified', judgeVerified({ lastVerifiedAt, mismatchesLastHour }, now)],
    ],
  };
}

/** Judges what the last comparison with the SMS service recorded. */
function judgeUrl({ drift, wanted }: WebhookState, isRegistering: boolean): Verdict {
  if (!isRegistering) return skipped(byHand);
  if (wanted === 'deactivated')
    return warn(
      'deactivated by sms webhook deactivate',
      'sms webhook register makes the service send again.',
    );
  return drift === undefined
    ? skipped('no change was recorded: sms webhook status asks the SMS service')
    : warn(`changed elsewhere: ${drift.kinds.join(', ')}`, 'sms webhook register repairs it.');
}

/** Reads the health at most twice a minute, however many pages ask. */
export function createHealthReader(parts: HealthParts): () => Promise<HealthView> {
  return readAtMostEvery(30_000, () => readHealth(parts), parts.clock);
}
