import type { SignatureContract } from '../../../contract/schema/contract-schema.ts';
import { signRequest } from '../../../contract/signature/sign.ts';
import { hostEnvironment } from '../../../local/function-hosts/environment.ts';
import { httpApiEvent } from '../../support/lambda-events.ts';

/** Made for the bench. */
export const webhookSecret = `whsec_${Buffer.from('a secret that the bench made up').toString('base64')}`;
export const webhookUrl = 'https://sms.example.test/webhooks/sms';

/** Makes signed webhook requests as API Gateway hands them to ingest: JSON. Each reports on a message of its own. */
export function webhookRequests(signature: SignatureContract): () => string {
  let number = 0;
  return () => {
    number += 1;
    const now = Date.now();
    const digits = String(number).padStart(12, '0');
    const body = JSON.stringify({
      type: 'sms.status',
      timestamp: new Date(now).toISOString(),
      data: {
        id: `5b0d6f1e-7c3a-4d18-9a40-${digits}`,
        send_id: '0f8c9d2e-44aa-4b8e-8f6e-3f1d9c7b2a10',
        to: '+12025550143',
        status: 'delivered',
        occurred_at: new Date(now - 431).toISOString(),
      },
    });
    const signed = { body: Buffer.from(body), id: `msg_${digits}`, now, url: webhookUrl };
    return JSON.stringify(
      httpApiEvent({
        body,
        headers: {
          'content-type': 'application/json',
          'content-length': String(body.length),
          host: 'sms.example.test',
          'user-agent': 'sms-service/1.0',
          'x-forwarded-for': '192.0.2.1',
          'x-forwarded-port': '443',
          'x-forwarded-proto': 'https',
          ...signRequest(signature, signed, webhookSecret),
        },
      }),
    );
  };
}

/**
 * Returns the environment that a template would declare for ingest, the endpoints of AWS, and the secret for a baseline that reads none.
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
