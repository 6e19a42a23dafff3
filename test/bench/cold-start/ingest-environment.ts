import { hostEnvironment } from '../../../local/lambda/environment.ts';
import { webhookSecret, webhookUrl } from './webhook-request.ts';

/**
 * What a template would declare for ingest, and where AWS is; with the secret itself, for a baseline that reads none.
 *
 * @param folder of the bundle
 */
export function ingestEnvironment(folder: string, awsUrl: string): Record<string, string> {
  const definition = {
    name: 'ingest',
    label: 'ingest',
    accessKeyId: 'bench',
    codeDirectory: folder,
    handler: 'index.handler',
    timeoutSeconds: 20,
    memoryMegabytes: 512,
    jsonLogs: { applicationLevel: 'INFO' },
    environment: {
      POWERTOOLS_SERVICE_NAME: 'ingest',
      POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
      EVENTS_QUEUE_URL: `${awsUrl}/000000000000/events`,
      SIGNALS_QUEUE_URL: `${awsUrl}/000000000000/signals`,
      WEBHOOK_SECRET_ID: 'webhook',
      WEBHOOK_URL: webhookUrl,
      WEBHOOK_SECRET: webhookSecret,
      PARK_UNVERIFIED: 'rotating',
      ALLOWED_SOURCE_IPS: '',
      CAPTURE_UNTIL: '',
    },
  };
  // With queues at another address than its own the client of SQS warns at each call.
  return hostEnvironment(definition, { SECRETS_MANAGER: awsUrl, SQS: awsUrl });
}
