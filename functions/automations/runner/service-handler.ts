import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import contract from '#contract';
import { clientSettings, type Environment } from '../../base/handler-settings.ts';
import { systemPorts } from '../../base/http-client.ts';
import { readApiKey } from '../../base/sms-service/api-key-store.ts';
import type { SmsServiceClient } from '../../base/sms-service/service-client.ts';
import { createQueueHandler, type QueueAutomation, queueVariables } from './queue-handler.ts';
import { createServiceConnector, serviceOfInvocation } from './service-client.ts';

/**
 * The waits in seconds between the attempts of a message that calls the SMS service: 30 s, 2 min, 10 min, 1 h, then every 4 h, for about four
 * days. So an outage of the service, or an invalid API key, may last a weekend.
 */
const serviceDelaysSeconds: readonly number[] = [
  30,
  120,
  600,
  3600,
  ...Array.from({ length: 25 }, () => 14_400),
];

/** The environment variables of every automation that calls the SMS service. */
export const serviceVariables = {
  ...queueVariables,
  API_KEY_SECRET_ID: 'text',
  SMS_SERVICE_BASE_URL: 'url',
} as const;

export interface ServiceAutomation extends Pick<QueueAutomation, 'concurrency'> {
  /**
   * Does the work of one message, as `handle` of {@link createQueueHandler} does.
   *
   * @param service returns the client of this invocation, and connects on the first call
   */
  handle(body: string, service: () => Promise<SmsServiceClient>): Promise<void>;
}

/** Creates the handler of an automation that calls the SMS service for its messages. */
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
