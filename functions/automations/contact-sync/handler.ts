import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import contract from '#contract' with { type: 'json' };
import { readApiKey } from '../../adapters/api-key-secret.ts';
import { clientSettings } from '../../adapters/client-settings.ts';
import { createContactTurns } from '../../adapters/contact-turns.ts';
import { createMessageVisibility } from '../../adapters/message-visibility.ts';
import { systemPorts } from '../../adapters/sms-service/ports.ts';
import { readEnvironment } from '../../runtime/environment.ts';
import { log, observability } from '../../runtime/observability.ts';
import { readBusMessage } from '../bus-message.ts';
import { createServiceConnector, serviceOfInvocation } from '../sms-service.ts';
import { workMessages } from '../work-messages.ts';
import { contactSyncTypes, syncContact } from './sync-contact.ts';

const environment = readEnvironment({
  QUEUE_URL: 'url',
  CONTACT_TURNS_TABLE_NAME: 'text',
  API_KEY_SECRET_ID: 'text',
  SMS_SERVICE_BASE_URL: 'url',
  CONTACT_LIST_IDS: 'list',
  CONTACT_SYNC_PERIOD_HOURS: 'integer',
});
const hourMs = 3_600_000;
const secretsManager = new SecretsManagerClient(clientSettings);
const visibility = createMessageVisibility(new SQSClient(clientSettings), environment.QUEUE_URL);
const connect = createServiceConnector({
  baseUrl: environment.SMS_SERVICE_BASE_URL,
  token: contract.service.token,
  readApiKey: () => readApiKey(secretsManager, environment.API_KEY_SECRET_ID),
  ports: systemPorts,
});
const dependencies = {
  turns: createContactTurns(new DynamoDBClient(clientSettings), environment.CONTACT_TURNS_TABLE_NAME),
  lists: environment.CONTACT_LIST_IDS,
  periodMs: environment.CONTACT_SYNC_PERIOD_HOURS * hourMs,
  clock: Date.now,
  newId: randomUUID,
};

/** 30 s, 2 min, 10 min, 1 h, then every 4 h. */
const delaysSeconds = [30, 120, 600, 3600, 14_400];

/** Writes contacts of numbers that replied: an SQS batch, answered with the messages that must come again. */
export const handler = middy<SQSEvent, SQSBatchResponse>()
  .use(observability())
  .handler(({ Records }, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis();
    const service = serviceOfInvocation(connect, Date.now() + remainingMs());
    return workMessages(Records, {
      handle: (body) => syncContact(readBusMessage(body, contactSyncTypes), { ...dependencies, service }),
      visibility,
      delaysSeconds,
      concurrency: 2,
      log,
      remainingMs,
    });
  });
