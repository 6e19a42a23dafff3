import { captureEnd, type SecretDocument } from '../webhook/secret-document.ts';
import { type Drift, isSameUrl, type ServiceWebhook } from '../webhook/webhook-drift.ts';
import type { DesiredState, WebhookState } from './webhook-state-store.ts';

/**
 * Where the service sends events: to us, to somebody else's URL, nowhere any more, nowhere yet; or it could not be asked, or is
 * never asked because people enter the webhook there.
 */
export type RegistrationState =
  | 'registered'
  | 'elsewhere'
  | 'deactivated'
  | 'never-configured'
  | 'unknown'
  | 'by-hand';

/** What a person is told about the webhook: never a secret. Times are ISO 8601. */
export interface WebhookReport {
  /** The URL of this pipeline. */
  readonly webhookUrl: string;
  /** The URL the service sends to, without the query of somebody else's; empty where it sends nowhere. */
  readonly registeredUrl: string;
  readonly state: RegistrationState;
  /** Why the service could not be asked, its own words included; null where it was, or never is. */
  readonly serviceFailure: string | null;
  /** What this pipeline wants; null before the first registration. */
  readonly wanted: DesiredState | null;
  readonly secret: {
    readonly stored: boolean;
    /** Null where one side has no secret to compare. */
    readonly matchesService: boolean | null;
    readonly since: string | null;
    /** Null once the previous secret is no longer accepted. */
    readonly previousValidUntil: string | null;
    /** A rotation that is under way, or that was left unfinished. */
    readonly rotating: { readonly since: string; readonly by: string } | null;
  };
  /** What was found changed elsewhere and not put right. */
  readonly drift: { readonly kinds: readonly Drift[]; readonly since: string } | null;
  readonly lastReconcile: { readonly at: string; readonly failure: string | null } | null;
  /** When a verified request last came in; to within a minute. */
  readonly lastVerifiedAt: string | null;
  /** Signatures that fitted no secret; at least so many. */
  readonly mismatchesLastHour: number;
  /** Until when requests that would be refused are captured; null where they are not. */
  readonly captureUntil: string | null;
}

/** A webhook needs to be set when the service does not send to us, or sends without telling its secret. */
export function needsRegistration(service: ServiceWebhook, webhookUrl: string): boolean {
  return service.secret === '' || !isSameUrl(service.url, webhookUrl);
}

/** @param hasDocument whether a secret was stored before: then the webhook was configured once */
export function webhookState(
  service: ServiceWebhook,
  webhookUrl: string,
  hasDocument: boolean,
): RegistrationState {
  if (service.url !== '') return isSameUrl(service.url, webhookUrl) ? 'registered' : 'elsewhere';
  return service.secret !== '' || hasDocument ? 'deactivated' : 'never-configured';
}

/** What a report is made of. */
export interface WebhookFacts {
  readonly webhookUrl: string;
  /** What the service says, or why it says nothing; undefined where it is never asked. */
  readonly service: ServiceWebhook | { readonly failure: string } | undefined;
  readonly document: SecretDocument | undefined;
  readonly state: WebhookState;
  readonly mismatchesLastHour: number;
  /** What the setting says of capturing. */
  readonly captureSetting: string;
}

/** @param now milliseconds since the epoch */
export function reportWebhook(facts: WebhookFacts, now: number): WebhookReport {
  const { webhookUrl, document, state } = facts;
  const seen = facts.service;
  const service = seen === undefined || 'failure' in seen ? undefined : seen;
  const comparable = document !== undefined && service !== undefined && service.secret !== '';
  const validUntil = document?.previous?.validUntil;
  const { rotating } = document ?? {};
  const { lastReconcile } = state;
  const captureUntil = captureEnd(document?.capture, facts.captureSetting);
  return {
    webhookUrl,
    registeredUrl: service === undefined ? '' : showUrl(service.url, webhookUrl),
    state: stateOf(facts),
    serviceFailure: seen !== undefined && 'failure' in seen ? seen.failure : null,
    wanted: state.wanted ?? null,
    secret: {
      stored: document !== undefined,
      matchesService: comparable ? document.current.secret === service.secret : null,
      since: document?.current.since ?? null,
      previousValidUntil: validUntil !== undefined && now < Date.parse(validUntil) ? validUntil : null,
      rotating: rotating === undefined ? null : { since: rotating.since, by: rotating.by },
    },
    drift: state.drift ?? null,
    lastReconcile:
      lastReconcile === undefined ? null : { at: lastReconcile.at, failure: lastReconcile.failure ?? null },
    lastVerifiedAt: state.lastVerifiedAt ?? null,
    mismatchesLastHour: facts.mismatchesLastHour,
    captureUntil: now < Date.parse(captureUntil) ? captureUntil : null,
  };
}

function stateOf({ service, webhookUrl, document }: WebhookFacts): RegistrationState {
  if (service === undefined) return 'by-hand';
  return 'failure' in service ? 'unknown' : webhookState(service, webhookUrl, document !== undefined);
}

/** Somebody else's URL may carry a credential before its host or in its query. */
function showUrl(url: string, webhookUrl: string): string {
  if (isSameUrl(url, webhookUrl) || !URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
