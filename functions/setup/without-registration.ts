import { WebhookSecretError } from '../adapters/webhook-secret.ts';
import type { SetupDependencies } from './dependencies.ts';
import { failed, type SetupOutcome } from './outcome.ts';
import type { ActionRequest } from './request.ts';
import { reportOn } from './status.ts';

type Ports = Pick<SetupDependencies, 'store' | 'state' | 'webhookUrl' | 'captureSetting' | 'clock' | 'log'>;

/**
 * Answers where people enter the webhook in the console of the SMS service: tells what the pipeline knows, and how to do what it
 * cannot. Needs neither the API key nor the service. Never throws.
 */
export async function withoutRegistration({ action }: ActionRequest, ports: Ports): Promise<SetupOutcome> {
  if (action !== 'status') return failed('registration-off', whatToDo(ports.webhookUrl));
  try {
    return await reportOn({ service: undefined, document: (await ports.store.read())?.document }, ports);
  } catch (error) {
    const kind = error instanceof WebhookSecretError ? 'secret-store' : 'internal';
    ports.log('SETUP_FAILED', { action, kind });
    if (error instanceof WebhookSecretError) return failed(kind, error.message);
    return failed(
      kind,
      `The ${action} action failed: ${error instanceof Error ? error.name : 'unknown error'}`,
    );
  }
}

function whatToDo(webhookUrl: string): string {
  return `Registration is off (sms:registration): enter or remove ${webhookUrl} in the console of the SMS service, and store the secret that it shows with "webhook store-secret".`;
}
