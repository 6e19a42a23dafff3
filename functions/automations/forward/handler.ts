import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings, readEnvironment } from '../../base/handler-settings.ts';
import { systemPorts } from '../../base/http-client.ts';
import { createQueueHandler, queueVariables } from '../runner/queue-handler.ts';
import { createEventReceiver } from './event-receiver-client.ts';
import { type ForwardDependencies, forwardDelaysSeconds, forwardEvent } from './forward-event.ts';
import { createSigningSecret, readForwardSecret } from './signing-secret-store.ts';

const environment = readEnvironment({ ...queueVariables, FORWARD_URL: 'url', FORWARD_SECRET_ID: 'text' });
const secretsManager = new SecretsManagerClient(clientSettings);

const dependencies: ForwardDependencies = {
  receiver: createEventReceiver(environment.FORWARD_URL, systemPorts),
  secret: createSigningSecret(
    () => readForwardSecret(secretsManager, environment.FORWARD_SECRET_ID),
    Date.now,
  ),
  clock: Date.now,
};

/** Posts events to a URL outside the pipeline. */
export const handler = createQueueHandler(environment, {
  begin: () => (body) => forwardEvent(body, dependencies),
  delaysSeconds: forwardDelaysSeconds,
  concurrency: 10,
});
