import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import contract from '#contract' with { type: 'json' };
import { readApiKey } from '../adapters/api-key-secret.ts';
import { clientSettings } from '../adapters/client-settings.ts';
import { createSmsServiceClient } from '../adapters/sms-service/client.ts';
import { systemPorts } from '../adapters/sms-service/ports.ts';
import { createWebhookSecretStore } from '../adapters/webhook-secret.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { log, observability } from '../runtime/observability.ts';
import { handle } from './handle.ts';

const environment = readEnvironment({
  WEBHOOK_SECRET_ID: 'text',
  API_KEY_SECRET_ID: 'text',
  SMS_SERVICE_BASE_URL: 'url',
  WEBHOOK_URL: 'url',
  SECRET_OVERLAP_HOURS: 'integer',
});
const secretsManager = new SecretsManagerClient(clientSettings);
const service = {
  baseUrl: environment.SMS_SERVICE_BASE_URL,
  token: contract.service.token,
  ports: systemPorts,
};

const ports = {
  ...systemPorts,
  readApiKey: () => readApiKey(secretsManager, environment.API_KEY_SECRET_ID),
  connect: (apiKey: string, deadline: number) => createSmsServiceClient({ ...service, apiKey, deadline }),
  store: createWebhookSecretStore(secretsManager, environment.WEBHOOK_SECRET_ID),
  webhookUrl: environment.WEBHOOK_URL,
  signature: contract.webhook.signature,
  overlapMs: environment.SECRET_OVERLAP_HOURS * 3_600_000,
  log,
};

/** Registers, reads and deactivates the webhook: a CloudFormation custom resource, or `{ "action": ... }`. */
export const handler = middy<unknown>()
  .use(observability())
  .handler((event, context) => handle(event, context.getRemainingTimeInMillis(), ports));
