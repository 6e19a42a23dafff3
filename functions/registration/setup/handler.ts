import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import contract from '#contract';
import { invocationDeadline } from '../../base/basics.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { portsUntil, systemPorts } from '../../base/http-client.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { readApiKey } from '../../base/sms-service/api-key-store.ts';
import { createSmsServiceClient } from '../../base/sms-service/service-client.ts';
import { createEventBus } from '../../publish/io.ts';
import { connectRegistration } from '../registration-of-contract.ts';
import { createWebhookSecretStore } from '../secret/webhook-secret-store.ts';
import { accountWebhookPath } from '../services/account-webhook.ts';
import { createWebhookStateTable } from '../webhook-state-store.ts';
import { handle, reservedMs } from './handle.ts';

const environment = readEnvironment({
  WEBHOOK_SECRET_ID: 'text',
  API_KEY_SECRET_ID: 'text',
  SMS_SERVICE_BASE_URL: 'url',
  WEBHOOK_URL: 'url',
  SECRET_OVERLAP_HOURS: 'integer',
  WEBHOOK_STATE_TABLE_NAME: 'text',
  WEBHOOK_DRIFT: ['repair', 'report'],
  ROTATE_AFTER_DAYS: 'integer',
  EVENT_BUS_NAME: 'text',
  PIPELINE_NAME: 'text',
  REGISTRATION: ['on', 'off'],
  SOURCE: 'text',
});
const hourMs = 3_600_000;
const secretsManager = new SecretsManagerClient(clientSettings);
const service = {
  baseUrl: environment.SMS_SERVICE_BASE_URL,
  token: contract.service.token,
};

const ports = {
  ...systemPorts,
  source: environment.SOURCE,
  registration: environment.REGISTRATION,
  readApiKey: () => readApiKey(secretsManager, environment.API_KEY_SECRET_ID),
  store: createWebhookSecretStore(secretsManager, environment.WEBHOOK_SECRET_ID),
  state: createWebhookStateTable(new DynamoDBClient(clientSettings), environment.WEBHOOK_STATE_TABLE_NAME),
  bus: createEventBus(new EventBridgeClient(clientSettings), {
    busName: environment.EVENT_BUS_NAME,
    pipeline: environment.PIPELINE_NAME,
  }),
  webhookUrl: environment.WEBHOOK_URL,
  signature: contract.webhook.signature,
  overlapMs: environment.SECRET_OVERLAP_HOURS * hourMs,
  onDrift: environment.WEBHOOK_DRIFT,
  rotateAfterMs:
    environment.ROTATE_AFTER_DAYS === 0 ? undefined : environment.ROTATE_AFTER_DAYS * 24 * hourMs,
  log: createLog(logCatalogue),
  count,
};

/** Registers, watches, repairs and rotates the webhook. */
export const handler = middy<unknown>()
  .use(observability())
  .handler((event, context) => {
    const deadline = invocationDeadline(context, reservedMs);
    const session = (apiKey: string, ended: AbortSignal) => ({
      ...service,
      ports: portsUntil(ended, systemPorts),
      apiKey,
      deadline,
    });
    return handle(event, {
      ...ports,
      requestId: context.awsRequestId,
      deadline,
      connect: (...key) =>
        connectRegistration(contract, { ...session(...key), webhookUrl: ports.webhookUrl }),
      api: {
        connect: (...key) => createSmsServiceClient(session(...key)),
        tokenPath: contract.service.token.exchange.path,
        webhookPath: accountWebhookPath,
        isDescribed: contract.registration === null,
      },
    });
  });
