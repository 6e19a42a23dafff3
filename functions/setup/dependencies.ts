import type { EventBus } from '../adapters/event-bus.ts';
import type { SmsServiceClient } from '../adapters/sms-service/client.ts';
import type { WebhookSecretStore } from '../adapters/webhook-secret.ts';
import type { WebhookStateTable } from '../adapters/webhook-state-table.ts';
import type { Clock } from '../core/clock.ts';
import type { SignatureContract } from '../core/contract/contract.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metric-catalogue.ts';

/** What the actions work with. */
export interface SetupDependencies {
  readonly service: Pick<SmsServiceClient, 'readWebhook' | 'setWebhook'>;
  readonly store: WebhookSecretStore;
  readonly state: Pick<
    WebhookStateTable,
    | 'read'
    | 'setWanted'
    | 'assumeWanted'
    | 'recordReconcile'
    | 'recordConfirmed'
    | 'noteDrift'
    | 'forgetPendingDrift'
    | 'mismatchesLastHour'
    | 'takeTurn'
  >;
  /** Where it is told what was changed elsewhere. */
  readonly bus: EventBus;
  /** The URL of this pipeline. */
  readonly webhookUrl: string;
  /** How the contract says that events are signed. */
  readonly signature: SignatureContract;
  /** How long a replaced secret stays accepted, in milliseconds. */
  readonly overlapMs: number;
  /** What reconciling does about changes made elsewhere. */
  readonly onDrift: 'repair' | 'report';
  /** The age in milliseconds at which reconciling rotates the secret; undefined: never. */
  readonly rotateAfterMs: number | undefined;
  /** Until when requests that would be refused are captured, by the setting; ISO 8601 in UTC, or empty. */
  readonly captureSetting: string;
  /** Names the invocation. */
  readonly requestId: string;
  /** Milliseconds since the epoch after which no step begins. */
  readonly deadline: number;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly log: Log;
  readonly count: Count;
}
