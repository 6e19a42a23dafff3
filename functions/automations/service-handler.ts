import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import contract from '#contract';
import { readApiKey } from '../adapters/api-key-secret.ts';
import { clientSettings } from '../adapters/client-settings.ts';
import type { SmsServiceClient } from '../adapters/sms-service/client.ts';
import { systemPorts } from '../adapters/sms-service/ports.ts';
import type { Environment } from '../runtime/environment.ts';
import { createQueueHandler, type QueueAutomation, queueVariables } from './queue-handler.ts';
import { serviceDelaysSeconds } from './service-delays.ts';
import { createServiceConnector, serviceOfInvocation } from './sms-service.ts';

/** What every automation that calls the SMS service for its messages reads from its environment. */
export const serviceVariables = {
  ...queueVariables,
  API_KEY_SECRET_ID: 'text',
  SMS_SERVICE_BASE_URL: 'url',
} as const;

export interface ServiceAutomation extends Pick<QueueAutomation, 'concurrency'> {
  /**
   * What is to be done for one message, as `handle` of {@link createQueueHandler}.
   *
   * @param service the client of this invocation; connects when it is first asked for
   */
  handle(body: string, service: () => Promise<SmsServiceClient>): Promise<void>;
}

/** The handler of an automation whose messages are worked off by calls of the SMS service. */
export function createServiceHandler(
  environment: Environment<typeof serviceVariables>,
  { handle, concurrency }: ServiceAutomation,
) {
  const secretsManager = new SecretsManagerClient(clientSettings);
  const connect = createServiceConnector({
    baseUrl: environment.SMS_SERVICE_BASE_URL,
    token: contract.service.token,
    readApiKey: () => readApiKey(secretsManager, environment.API_KEY_SECRET_ID),
    ports: systemPorts,
  });
  return createQueueHandler(environment, {
    delaysSeconds: serviceDelaysSeconds,
    concurrency,
    begin: (end) => {
      const service = serviceOfInvocation(connect, end);
      return (body) => handle(body, service);
    },
  });
}
