import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings } from '../../adapters/client-settings.ts';
import { createEventReceiver } from '../../adapters/event-receiver.ts';
import { readForwardSecret } from '../../adapters/forward-secret.ts';
import { systemPorts } from '../../adapters/sms-service/ports.ts';
import { forwardDelaysSeconds } from '../../core/forward/retry-schedule.ts';
import { readEnvironment } from '../../runtime/environment.ts';
import { createQueueHandler, queueVariables } from '../queue-handler.ts';
import { type ForwardDependencies, forwardEvent } from './forward-event.ts';
import { createSigningSecret } from './signing-secret.ts';

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

/** Posts events to somebody's URL. */
export const handler = createQueueHandler(environment, {
  begin: () => (body) => forwardEvent(body, dependencies),
  delaysSeconds: forwardDelaysSeconds,
  concurrency: 10,
});
