import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as scheme from '#signature';
import webhook from '#webhook';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { ingestLogs } from '../../base/log-catalogue.ts';
import { createQueueSender } from '../../base/sqs-queue.ts';
import { createSecretCache, createWebhookSecretStore } from '../../registration/io.ts';
import { createCapture } from '../captured-requests.ts';
import { contractRules } from './contract-rules.ts';
import { createSourceCheck, type ReceiveDependencies, receive } from './receive.ts';
import { createRejectionPolicy } from './rejection-policy.ts';

const environment = readEnvironment({
  EVENTS_QUEUE_URL: 'url',
  SIGNALS_QUEUE_URL: 'url',
  WEBHOOK_SECRET_ID: 'text',
  WEBHOOK_URL: 'url',
  PARK_UNVERIFIED: ['rotating', 'always'],
  ALLOWED_SOURCE_IPS: 'list',
  CAPTURE_UNTIL: 'optional',
});
const log = createLog(ingestLogs);
const { rules, headersRead, hasSecret } = contractRules(webhook, scheme);
const sqs = new SQSClient(clientSettings);

function secretChecks() {
  const store = createWebhookSecretStore(
    new SecretsManagerClient(clientSettings),
    environment.WEBHOOK_SECRET_ID,
  );
  // The global `performance` would load more of Node.js.
  const clocks = { wall: Date.now, monotonic: () => process.uptime() * 1000 };
  const cache = createSecretCache(store.read, clocks, log);
  const capture = createCapture({
    until: environment.CAPTURE_UNTIL,
    credentials: headersRead.credentials,
    signatures: headersRead.signatures,
    tokenIn: rules.tokenIn,
  });
  const policy = createRejectionPolicy({
    cache,
    verify: rules.verify,
    park: environment.PARK_UNVERIFIED,
    headersRead: headersRead.all,
    capture,
    signals: createQueueSender(sqs, environment.SIGNALS_QUEUE_URL),
    clock: Date.now,
    log,
    count,
  });
  return { cache, policy };
}

const secrets = hasSecret ? secretChecks() : undefined;
const dependencies: ReceiveDependencies = {
  ...rules,
  allowsSource: createSourceCheck(environment.ALLOWED_SOURCE_IPS),
  secrets,
  queue: createQueueSender(sqs, environment.EVENTS_QUEUE_URL),
  clock: Date.now,
  log,
  count,
  webhookUrl: environment.WEBHOOK_URL,
};

/**
 * Resolves once the webhook's secret was requested. So loading code and the first TLS handshake are part of the start, for which Lambda
 * provides a whole processor; requests get a part of one.
 */
export const ready = secrets?.cache.readAhead();

/** Receives the service's webhook: an API Gateway HTTP API event, payload format 2.0. */
export const handler = middy<APIGatewayProxyEventV2>()
  .use(observability())
  .handler((event) => receive(event, dependencies));
