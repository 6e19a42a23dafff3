import * as z from 'zod';
import type { SignatureContract } from '../../../contract/schema/contract-schema.ts';
import { type Deadline, errorName } from '../../base/basics.ts';
import type { Ports } from '../../base/http-client.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { ApiKeyResult } from '../../base/sms-service/api-key-store.ts';
import {
  describeError,
  describeWithoutAnswer,
  type Result,
  type SmsServiceError,
} from '../../base/sms-service/request.ts';
import type { SmsServiceClient } from '../../base/sms-service/service-client.ts';
import type { EventBus } from '../../publish/index.ts';
import type { Registration } from '../registration.ts';
import { WebhookSecretError } from '../secret/secret-document.ts';
import type { WebhookSecretStore } from '../secret/webhook-secret-store.ts';
import type { WebhookReport } from '../webhook-report.ts';
import type { WebhookStateTable } from '../webhook-state-store.ts';

const plain = z.strictObject({ action: z.enum(['status', 'register', 'deactivate', 'reconcile']) });
const rotate = z.strictObject({
  action: z.literal('rotate'),
  /** Also rotates while the secret before the current one is still accepted. */
  force: z.boolean().default(false),
  /** Whether the replaced secret remains accepted for a while; false for a secret that has leaked. */
  overlap: z.boolean().default(true),
});
const segment = /^(?:[\w\-.~!$&'()*+,=:@]|%[0-9A-F]{2})+$/i;
/** Dots alone, and escapes of `%`, `.`, `/`, `;` and `\\`, which servers resolve differently. */
const ambiguous = /^\.{1,2}$|%(?:2[5EF]|3B|5C)/i;
const queryText = /^(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*$/i;

/** Whether a text is a path of the SMS service's API that means one thing to every server, with or without a query. */
export function isServicePath(text: string): boolean {
  const [path = '', ...query] = text.split('?');
  const [before, ...segments] = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  return (
    before === '' &&
    segments.length > 0 &&
    segments.every((part) => segment.test(part) && !ambiguous.test(part)) &&
    queryText.test(query.join('?')) &&
    isDecodable(text)
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const call = z.strictObject({
  action: z.literal('call'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** The path below the service's base URL, with its query. */
  path: z.custom<`/${string}`>((value) => typeof value === 'string' && isServicePath(value)),
  body: z.json().exactOptional(),
});
const request = z.union([plain, rotate, call]);

/** A request that changes or reads the webhook. */
export type ActionRequest = z.output<typeof plain | typeof rotate>;

export type RotateRequest = z.output<typeof rotate>;

/** A request to perform any operation of the SMS service. */
export type CallRequest = z.output<typeof call>;

/** The payload of a direct invocation. */
export type SetupRequest = z.output<typeof request>;

/** The answer to an invocation with any other payload. */
export const requestHint =
  'Expected {"action": "status" | "register" | "deactivate" | "reconcile"}, {"action": "rotate", "force": true or false, "overlap": true or false}, or {"action": "call", "method": "GET", "path": "/...", "body": JSON}';

/** Returns undefined for an event that is not a direct invocation. */
export function parseSetupRequest(event: unknown): SetupRequest | undefined {
  return request.safeParse(event).data;
}

/** Why an action failed, for people. The texts hold no secret that setup knows. */
export interface SetupFailure {
  /** A kind of the SMS service's errors, or one of setup's: `api-key-missing`, `secret-store`, `out-of-time`... */
  readonly kind: string;
  /** With the words of the SMS service, for an operator. */
  readonly message: string;
  /** Without these words, for every reader of the stack. Undefined where the message has none of them. */
  readonly publicMessage?: string;
}

export type SetupOutcome = Result<WebhookReport, SetupFailure>;

/** Returns the service's error with the service's own words. */
export function serviceFailure(error: SmsServiceError): SetupFailure {
  const message = describeError(error);
  return 'body' in error
    ? {
        kind: error.kind,
        message,
        publicMessage: `${describeWithoutAnswer(error)}; sms webhook register shows its words`,
      }
    : { kind: error.kind, message };
}

/** Returns the failure for an error that an action threw. */
export function thrownFailure(action: string, error: unknown): SetupFailure {
  if (error instanceof WebhookSecretError) return { kind: 'secret-store', message: error.message };
  // The message of any other error may quote anything.
  return { kind: 'internal', message: `The ${action} action failed: ${errorName(error)}` };
}

/** Everything that setup works with in one invocation. */
export interface SetupPorts extends Ports {
  /** The source whose webhook it is. */
  readonly source: string;
  /** Off if people enter the webhook in the console of the SMS service. Then setup never calls the service. */
  readonly registration: 'on' | 'off';
  readonly readApiKey: () => Promise<ApiKeyResult>;
  /** @param ended aborted once the invocation has been answered: from then on the client sends nothing */
  readonly connect: (apiKey: string, ended: AbortSignal) => SetupPorts['service'];
  /** Registers at the SMS service, connected with the API key. */
  readonly service: Registration;
  /** Any operation of the SMS service. */
  readonly api: {
    readonly connect: (
      apiKey: string,
      ended: AbortSignal,
    ) => Pick<SmsServiceClient, 'request' | 'withoutSecrets'>;
    /** The path of the token exchange. */
    readonly tokenPath: string;
    /** The path of the webhook's configuration, whose answer holds the signing secret. */
    readonly webhookPath: string;
    /** Whether the contract describes the API: with `registration` it describes only where the webhook is set. */
    readonly isDescribed: boolean;
  };
  readonly store: WebhookSecretStore;
  readonly state: Omit<WebhookStateTable, 'recordVerified'>;
  readonly bus: EventBus;
  /** The URL of this pipeline. */
  readonly webhookUrl: string;
  readonly signature: SignatureContract;
  /** A replaced secret remains accepted for this long, in milliseconds. */
  readonly overlapMs: number;
  /** Whether reconciling repairs changes made elsewhere. */
  readonly onDrift: 'repair' | 'report';
  /** The age in milliseconds at which reconciling rotates the secret; undefined: never. */
  readonly rotateAfterMs: number | undefined;
  /** Identifies the invocation. */
  readonly requestId: string;
  /** After it no step begins and no call goes on. */
  readonly deadline: Deadline;
  readonly log: Log;
  readonly count: Count;
}

/** The ports before the API key is known. */
export type UnconnectedPorts = Omit<SetupPorts, 'service'>;
