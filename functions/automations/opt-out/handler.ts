import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import contract from '#contract' with { type: 'json' };
import { readApiKey } from '../../adapters/api-key-secret.ts';
import { clientSettings } from '../../adapters/client-settings.ts';
import { createMessageVisibility } from '../../adapters/message-visibility.ts';
import { createNotices } from '../../adapters/notices.ts';
import { createOptOutReader } from '../../adapters/opt-out-reader.ts';
import { systemPorts } from '../../adapters/sms-service/ports.ts';
import { readEnvironment } from '../../runtime/environment.ts';
import { log, observability } from '../../runtime/observability.ts';
import { readBusMessage } from '../bus-message.ts';
import { createServiceConnector, serviceOfInvocation } from '../sms-service.ts';
import { workMessages } from '../work-messages.ts';
import { optOutTypes, workOptOut } from './work-opt-out.ts';

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  QUEUE_URL: 'url',
  API_KEY_SECRET_ID: 'text',
  SMS_SERVICE_BASE_URL: 'url',
  OPT_OUT_LIST_IDS: 'list',
  OPT_IN_LIST_IDS: 'list',
  NOTICES_TOPIC_ARN: 'text',
});
const secretsManager = new SecretsManagerClient(clientSettings);
const visibility = createMessageVisibility(new SQSClient(clientSettings), environment.QUEUE_URL);
const connect = createServiceConnector({
  baseUrl: environment.SMS_SERVICE_BASE_URL,
  token: contract.service.token,
  readApiKey: () => readApiKey(secretsManager, environment.API_KEY_SECRET_ID),
  ports: systemPorts,
});
const dependencies = {
  register: createOptOutReader(new DynamoDBClient(clientSettings), environment.HISTORY_TABLE_NAME),
  lists: { out: environment.OPT_OUT_LIST_IDS, in: environment.OPT_IN_LIST_IDS },
  notices: createNotices(new SNSClient(clientSettings), environment.NOTICES_TOPIC_ARN),
};

/** 30 s, 2 min, 10 min, 1 h, then every 4 h. */
const delaysSeconds = [30, 120, 600, 3600, 14_400];

/** Brings contacts to what the register of opt-outs says: an SQS batch, answered with the messages that must come again. */
export const handler = middy<SQSEvent, SQSBatchResponse>()
  .use(observability())
  .handler(({ Records }, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis();
    const service = serviceOfInvocation(connect, Date.now() + remainingMs());
    return workMessages(Records, {
      handle: (body) => workOptOut(readBusMessage(body, optOutTypes), { ...dependencies, service }),
      visibility,
      delaysSeconds,
      concurrency: 5,
      log,
      remainingMs,
    });
  });
