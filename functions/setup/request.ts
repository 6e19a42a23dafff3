import * as z from 'zod';
import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import type { EventBus } from '../bus/event-bus-client.ts';
import type { WebhookReport } from '../registration/registration.ts';
import type { WebhookStateTable } from '../registration/webhook-state-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import type { SmsServiceClient } from '../sms-service/client.ts';
import { describeError, type SmsServiceError } from '../sms-service/request.ts';
import type { WebhookSecretStore } from '../webhook/webhook-secret-store.ts';

const plain = z.strictObject({ action: z.enum(['status', 'register', 'deactivate', 'reconcile']) });
const rotate = z.strictObject({
  action: z.literal('rotate'),
  force: z.boolean().default(false),
  overlap: z.boolean().default(true),
});
const minuteMs = 60_000;
const captureMs = z
  .int()
  .min(minuteMs)
  .max(1_440 * minuteMs);
const capture = z.strictObject({
  action: z.literal('capture'),
  /** How long from now on, in milliseconds; 0 ends it, and without it nothing is changed. */
  forMs: z.union([z.literal(0), captureMs]).exactOptional(),
});
const request = z.union([plain, rotate, capture]);

/** What is to be done about the webhook. */
export type ActionRequest = z.output<typeof plain | typeof rotate>;

/** Whether requests that would be refused are to be captured. */
export type CaptureRequest = z.output<typeof capture>;

/** What a direct invocation asks for. */
export type SetupRequest = z.output<typeof request>;

/** What is said to an invocation that asks for something else. */
export const requestHint =
  'Expected {"action": "status" | "register" | "deactivate" | "reconcile"}, {"action": "rotate", "force": true or false, "overlap": true or false}, or {"action": "capture", "forMs": milliseconds from 60000 to 86400000, or 0 to end it}';

/** Undefined for an event that is none. */
export function parseSetupRequest(event: unknown): SetupRequest | undefined {
  return request.safeParse(event).data;
}

/** Why an action failed, for people; neither field holds a secret. */
export interface SetupFailure {
  /** A kind of the SMS service's errors, or one of ours: `api-key-missing`, `secret-store`, `out-of-time`... */
  readonly kind: string;
  readonly message: string;
}

/** What came of an action. */
export type SetupOutcome =
  | { readonly ok: true; readonly report: WebhookReport }
  | { readonly ok: false; readonly error: SetupFailure };

export function failed(kind: string, message: string): SetupOutcome {
  return { ok: false, error: { kind, message } };
}

/** The service's error as an outcome, its own words included. */
export function serviceFailed(error: SmsServiceError): SetupOutcome {
  return failed(error.kind, describeError(error));
}

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
