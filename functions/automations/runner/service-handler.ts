import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import contract from '#contract';
import { clientSettings, type Environment } from '../../runtime/handler-settings.ts';
import { systemPorts } from '../../runtime/http.ts';
import { readApiKey } from '../../sms-service/api-key-store.ts';
import type { SmsServiceClient } from '../../sms-service/client.ts';
import { createQueueHandler, type QueueAutomation, queueVariables } from './queue-handler.ts';
import { createServiceConnector, serviceOfInvocation } from './service-client.ts';

/**
 * The waits between the tries of a message that calls the SMS service, in seconds: after 30 s, 2 min, 10 min and 1 h every 4 h,
 * for about four days. The service, or its API key, may be away for a weekend.
 */
export const serviceDelaysSeconds: readonly number[] = [
  30,
  120,
  600,
  3600,
  ...Array.from({ length: 25 }, () => 14_400),
];

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
