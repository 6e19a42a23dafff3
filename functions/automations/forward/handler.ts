import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { clientSettings } from '../../adapters/client-settings.ts';
import { createEventReceiver } from '../../adapters/event-receiver.ts';
import { readForwardSecret } from '../../adapters/forward-secret.ts';
import { createMessageVisibility } from '../../adapters/message-visibility.ts';
import { systemPorts } from '../../adapters/sms-service/ports.ts';
import { forwardDelaysSeconds } from '../../core/forward/retry-schedule.ts';
import { readEnvironment } from '../../runtime/environment.ts';
import { log, observability } from '../../runtime/observability.ts';
import { workMessages } from '../work-messages.ts';
import { type ForwardDependencies, forwardEvent } from './forward-event.ts';
import { createSigningSecret } from './signing-secret.ts';

const environment = readEnvironment({ QUEUE_URL: 'url', FORWARD_URL: 'url', FORWARD_SECRET_ID: 'text' });
const secretsManager = new SecretsManagerClient(clientSettings);
const visibility = createMessageVisibility(new SQSClient(clientSettings), environment.QUEUE_URL);

const dependencies: ForwardDependencies = {
  receiver: createEventReceiver(environment.FORWARD_URL, systemPorts),
  secret: createSigningSecret(
    () => readForwardSecret(secretsManager, environment.FORWARD_SECRET_ID),
    Date.now,
  ),
  clock: Date.now,
};

/** Posts events to somebody's URL. */
export const handler = middy<SQSEvent, SQSBatchResponse>()
  .use(observability())
  .handler((event, context) =>
    workMessages(event.Records, {
      handle: (body) => forwardEvent(body, dependencies),
      visibility,
      delaysSeconds: forwardDelaysSeconds,
      concurrency: 10,
      log,
      remainingMs: () => context.getRemainingTimeInMillis(),
    }),
  );
