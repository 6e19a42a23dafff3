import { mainSource } from '../../../contract/events/source-id.ts';
import type { Clock } from '../../../functions/base/basics.ts';
import { type HealthPorts, judgeVerified, type WebhookHealth } from '../../../functions/query/index.ts';
import type { HealthView } from '../../../functions/query/shapes.ts';
import type { Connection, Target } from '../../target/connection.ts';
import { readReport } from '../../target/stack/setup-function.ts';
import { inspectQueue } from '../dead-letter/list.ts';
import { explain } from '../doctor/finding.ts';
import { judgeApiKey, judgeReconcile, judgeSecret, judgeWebhookUrl } from '../doctor/service.ts';

export interface CommandLineParts {
  readonly connection: Pick<
    Connection,
    'deadLetterQueues' | 'drift' | 'inspection' | 'invokeSetup' | 'sources' | 'webhookUrl'
  >;
  /** Connects to one source. */
  readonly connectSource: (source: string) => Pick<Connection, 'invokeSetup' | 'webhookUrl'>;
  readonly target: Pick<Target, 'local' | 'source'>;
  readonly clock: Clock;
}

/** Returns where `sms console` reads the health: as `sms doctor` does, without a test event. */
export function commandLineHealth({
  connection,
  connectSource,
  target,
  clock,
}: CommandLineParts): HealthPorts {
  return {
    webhook: (now) => readWebhook(connection, now),
    webhookChecks: ['api-key'],
    furtherSources: async () => {
      // With --source the page is about that source.
      const sources = target.source === undefined ? await connection.sources() : [];
      return sources
        .filter((source) => source !== mainSource)
        .map((source) => ({ source, webhook: (now) => readWebhook(connectSource(source), now) }));
    },
    queues: async () => (await connection.inspection()).queues(),
    hasAges: !target.local,
    deadLetters: async () => Promise.all((await connection.deadLetterQueues()).map(inspectQueue)),
    alarms: async () => (target.local ? null : (await connection.inspection()).alarmsOn()),
    drift: async (day) => (await (await connection.drift())([day]))[0],
    skipped: [],
    explain,
    clock,
  };
}

/** Reads the registration. The setup function asks the SMS service. */
async function readWebhook(
  connection: Pick<Connection, 'invokeSetup' | 'webhookUrl'>,
  now: number,
): Promise<WebhookHealth> {
  const report = readReport(await connection.invokeSetup({ action: 'status' }));
  const url = await connection.webhookUrl();
  return {
    view: report as HealthView['webhook'],
    checks: [
      ['api-key', judgeApiKey(report)],
      ['webhook-url', judgeWebhookUrl(report, url)],
      ['webhook-secret', judgeSecret(report, undefined, now)],
      ['reconcile', judgeReconcile(report, now)],
      ['verified', judgeVerified(report, now)],
    ],
  };
}
