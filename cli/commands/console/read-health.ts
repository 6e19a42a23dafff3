import { judgeAlarms } from '../../../functions/health/alarms.ts';
import { judgeDrift, mismatchesOf } from '../../../functions/health/contract-drift.ts';
import { judgeDeadLetters, judgeQueues } from '../../../functions/health/queues.ts';
import { readAtMostEvery } from '../../../functions/health/read-at-most-every.ts';
import type { Verdict } from '../../../functions/health/verdict.ts';
import { judgeVerified } from '../../../functions/health/webhook.ts';
import type { HealthView } from '../../../functions/query/views/console-schemas.ts';
import type { WebhookReport } from '../../../functions/registration/webhook-report.ts';
import type { Clock } from '../../../functions/runtime/basics.ts';
import type { Connection, Target } from '../../target/connection.ts';
import { readReport } from '../../target/stack/setup-function.ts';
import { inspectQueue } from '../dead-letter/list.ts';
import { explain } from '../doctor/finding.ts';
import { judgeApiKey, judgeReconcile, judgeSecret, judgeWebhookUrl } from '../doctor/service.ts';

export interface HealthParts {
  readonly connection: Pick<
    Connection,
    'deadLetterQueues' | 'drift' | 'inspection' | 'invokeSetup' | 'webhookUrl'
  >;
  readonly target: Pick<Target, 'local'>;
  readonly clock: Clock;
}

/** A part of the report, and what to say of it. */
interface Part<T> {
  readonly value: T | null;
  readonly checks: readonly (readonly [check: string, verdict: Verdict])[];
}

/** Reads a part. One that cannot be read is null, and its check says why; the others are not affected. */
async function part<T>(
  check: string,
  read: () => Promise<T>,
  judge: (value: T) => readonly (readonly [string, Verdict])[],
): Promise<Part<T>> {
  try {
    const value = await read();
    return { value, checks: judge(value) };
  } catch (error) {
    return { value: null, checks: [[check, explain(error)]] };
  }
}

/** Reads the state of a pipeline, as `sms doctor` does, without a test event. Never throws. */
async function readHealth({ connection, target, clock }: HealthParts): Promise<HealthView> {
  const now = clock();
  const day = new Date(now).toISOString().slice(0, 10);
  const inspection = connection.inspection();
  inspection.catch(() => undefined);
  const [webhook, queues, deadLetters, alarms, drift] = await Promise.all([
    part(
      'api-key',
      async () => ({
        report: readReport(await connection.invokeSetup({ action: 'status' })),
        url: await connection.webhookUrl(),
      }),
      ({ report, url }) => judgeWebhook(report, url, now),
    ),
    part(
      'queues',
      async () => (await inspection).queues(),
      (found) => [['queues', judgeQueues(found, !target.local)]],
    ),
    part(
      'dead-letters',
      async () => Promise.all((await connection.deadLetterQueues()).map(inspectQueue)),
      (found) => [['dead-letters', judgeDeadLetters(found, now)]],
    ),
    part(
      'alarms',
      async () => (target.local ? null : (await inspection).alarmsOn()),
      (found) => (found === null ? [] : [['alarms', judgeAlarms(found)]]),
    ),
    part(
      'contract-drift',
      async () => mismatchesOf((await (await connection.drift())([day]))[0]),
      (found) => [['contract-drift', judgeDrift(found)]],
    ),
  ]);
  const checks = [webhook, queues, deadLetters, alarms, drift].flatMap((one) => one.checks);
  return {
    checkedAt: new Date(now).toISOString(),
    healthy: checks.every(([, { state }]) => state !== 'failed'),
    checks: checks.map(([check, { state, found, hint = null }]) => ({ check, state, found, hint })),
    webhook: (webhook.value?.report as HealthView['webhook']) ?? null,
    queues:
      queues.value?.map(({ name, waiting, inFlight, oldestSeconds = null }) => ({
        ...{ name, waiting, inFlight, oldestSeconds },
      })) ?? null,
    deadLetters:
      deadLetters.value?.map(({ name, waiting, inFlight, oldestSeenAt }) => ({
        ...{ name, waiting, inFlight, oldestSeenAt },
      })) ?? null,
    alarms: alarms.value?.map((alarm) => ({ ...alarm })) ?? null,
    contractDrift: drift.value && { day, mismatches: drift.value },
  };
}

function judgeWebhook(report: WebhookReport, url: string, now: number): (readonly [string, Verdict])[] {
  return [
    ['api-key', judgeApiKey(report)],
    ['webhook-url', judgeWebhookUrl(report, url)],
    ['webhook-secret', judgeSecret(report, undefined, now)],
    ['reconcile', judgeReconcile(report, now)],
    ['verified', judgeVerified(report, now)],
  ];
}

/** Reads the health at most twice a minute, however many pages ask. The setup function asks the SMS service for each. */
export function createHealthReader(parts: HealthParts): () => Promise<HealthView> {
  return readAtMostEvery(30_000, () => readHealth(parts), parts.clock);
}
