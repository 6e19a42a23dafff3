import { hostEnvironment } from '../../local/function-hosts/environment.ts';

export type BenchFunction = 'ingest' | 'worker' | 'publisher';

/** Made for the benches. */
export const webhookSecret = `whsec_${Buffer.from('a secret that the bench made up').toString('base64')}`;
export const webhookUrl = 'https://sms.example.test/webhooks/sms';

/**
 * Returns the environment that a template would declare for the function, the endpoints of AWS, and the secret for a baseline that
 * reads none.
 *
 * @param bundle the folder of its code
 */
export function functionEnvironment(
  name: BenchFunction,
  bundle: string,
  awsUrl: string,
): Record<string, string> {
  const definition = {
    name,
    label: name,
    accessKeyId: 'bench',
    codeDirectory: bundle,
    handler: 'index.handler',
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    jsonLogs: { applicationLevel: 'INFO' },
    environment: {
      POWERTOOLS_SERVICE_NAME: name,
      POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
      // With queues at another address than its own the client of SQS warns at each call.
      EVENTS_QUEUE_URL: `${awsUrl}/000000000000/events`,
      SIGNALS_QUEUE_URL: `${awsUrl}/000000000000/signals`,
      FAILURES_QUEUE_URL: `${awsUrl}/000000000000/failures`,
      WEBHOOK_SECRET_ID: 'webhook',
      WEBHOOK_URL: webhookUrl,
      WEBHOOK_SECRET: webhookSecret,
      PARK_UNVERIFIED: 'rotating',
      ALLOWED_SOURCE_IPS: '',
      CAPTURE_UNTIL: '',
      HISTORY_TABLE_NAME: 'history',
      OPEN_BATCHES_TABLE_NAME: 'open-batches',
      QUARANTINE_TABLE_NAME: 'quarantine',
      WEBHOOK_STATE_TABLE_NAME: 'state',
      RETENTION_DAYS: '400',
      QUARANTINE_RETENTION_DAYS: '90',
      WORKLIST_SHARDS: '16',
      REGISTRATION: 'on',
      EVENT_BUS_NAME: 'bus',
      EVERY_EVENT: 'off',
    },
  };
  return hostEnvironment(definition, {
    SECRETS_MANAGER: awsUrl,
    SQS: awsUrl,
    DYNAMODB: awsUrl,
    EVENTBRIDGE: awsUrl,
  });
}
