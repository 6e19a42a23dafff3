import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import contract from '#contract';
import { clientSettings, createLog, observability, readEnvironment } from '../../base/handler-settings.ts';
import { systemPorts } from '../../base/http-client.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { readApiKey } from '../../base/sms-service/api-key-store.ts';
import { createEventBus } from '../../publish/io.ts';
import { createServiceConnector } from '../runner/service-client.ts';
import { type WatchDependencies, watchCards } from './watch-cards.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  EVENT_BUS_NAME: 'text',
  PIPELINE_NAME: 'text',
  API_KEY_SECRET_ID: 'text',
  SMS_SERVICE_BASE_URL: 'url',
});
const secretsManager = new SecretsManagerClient(clientSettings);

const dependencies: WatchDependencies = {
  connect: createServiceConnector({
    baseUrl: environment.SMS_SERVICE_BASE_URL,
    token: contract.service.token,
    readApiKey: () => readApiKey(secretsManager, environment.API_KEY_SECRET_ID),
    ports: systemPorts,
  }),
  bus: createEventBus(new EventBridgeClient(clientSettings), {
    busName: environment.EVENT_BUS_NAME,
    pipeline: environment.PIPELINE_NAME,
  }),
  clock: systemPorts.clock,
  sleep: systemPorts.sleep,
  log,
};

/** Watches the card that pays for the messages. It runs on a schedule and ignores the event payload. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler((_event, context) => watchCards(dependencies, context.getRemainingTimeInMillis()));
