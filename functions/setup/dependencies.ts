import type { SmsServiceClient } from '../adapters/sms-service/client.ts';
import type { WebhookSecretStore } from '../adapters/webhook-secret.ts';
import type { Clock } from '../core/clock.ts';
import type { SignatureContract } from '../core/contract/contract.ts';
import type { Log } from '../runtime/log-catalogue.ts';

/** What the actions work with. */
export interface SetupDependencies {
  readonly service: Pick<SmsServiceClient, 'readWebhook' | 'setWebhook'>;
  readonly store: WebhookSecretStore;
  /** The URL of this pipeline. */
  readonly webhookUrl: string;
  /** How the contract says that events are signed. */
  readonly signature: SignatureContract;
  /** How long a replaced secret stays accepted, in milliseconds. */
  readonly overlapMs: number;
  readonly clock: Clock;
  readonly log: Log;
}
