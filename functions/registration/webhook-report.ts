import type { SecretDocument } from './secret/secret-document.ts';
import { type Drift, isSameUrl, type ServiceWebhook } from './webhook-drift.ts';
import type { DesiredState, WebhookState } from './webhook-state-store.ts';

export type RegistrationState =
  | 'registered'
  /** The service sends to another URL. */
  | 'elsewhere'
  | 'deactivated'
  | 'never-configured'
  /** The service could not be read. */
  | 'unknown'
  /** People enter the webhook at the service, and the pipeline never calls it. */
  | 'by-hand';

/** Describes the webhook for people; never holds a secret. Times are ISO 8601. */
export interface WebhookReport {
  /** The URL of this pipeline. */
  readonly webhookUrl: string;
  /** The URL that the service sends to, without credentials and query if it is another one; empty if it sends nowhere. */
  readonly registeredUrl: string;
  readonly state: RegistrationState;
  /** Why the service could not be read, with its own words; otherwise null. */
  readonly serviceFailure: string | null;
  /** Null before the first registration. */
  readonly desiredState: DesiredState | null;
  readonly secret: {
    readonly stored: boolean;
    /** Null if one side has no secret to compare. */
    readonly matchesService: boolean | null;
    readonly since: string | null;
    /** Null once the previous secret is no longer accepted. */
    readonly previousValidUntil: string | null;
    /** A rotation that is under way, or that was left unfinished. */
    readonly rotating: { readonly since: string; readonly by: string } | null;
  };
  /** Changes made elsewhere that were not repaired. */
  readonly drift: { readonly kinds: readonly Drift[]; readonly since: string } | null;
  readonly lastReconcile: { readonly at: string; readonly failure: string | null } | null;
  /** When the last verified request was received; to within a minute. */
  readonly lastVerifiedAt: string | null;
  /** At least this many signatures did not match. */
  readonly mismatchesLastHour: number;
}

/** @param hasDocument whether a secret was stored before: then the webhook was configured once */
export function webhookState(
  service: ServiceWebhook,
  webhookUrl: string,
  hasDocument: boolean,
): RegistrationState {
  if (service.url !== '') return isSameUrl(service.url, webhookUrl) ? 'registered' : 'elsewhere';
  return service.secret || hasDocument ? 'deactivated' : 'never-configured';
}

/** The facts that a report is made of. */
export interface WebhookFacts {
  readonly webhookUrl: string;
  /** The service's webhook, or why it could not be read; undefined if the pipeline never calls the service. */
  readonly service: ServiceWebhook | { readonly failure: string } | undefined;
  readonly document: SecretDocument | undefined;
  readonly state: WebhookState;
  readonly mismatchesLastHour: number;
}

/** @param now milliseconds since the epoch */
export function reportWebhook(facts: WebhookFacts, now: number): WebhookReport {
  const { webhookUrl, document, state } = facts;
  const answer = facts.service;
  const service = answer === undefined || 'failure' in answer ? undefined : answer;
  const comparable = document !== undefined && Boolean(service?.secret);
  const validUntil = document?.previous?.validUntil;
  const { rotating } = document ?? {};
  const { lastReconcile } = state;
  return {
    webhookUrl,
    registeredUrl: service === undefined ? '' : redactUrl(service.url, webhookUrl),
    state: stateOf(facts),
    serviceFailure: answer !== undefined && 'failure' in answer ? answer.failure : null,
    desiredState: state.desiredState ?? null,
    secret: {
      stored: document !== undefined,
      matchesService: comparable ? document.current.secret === service?.secret : null,
      since: document?.current.since ?? null,
      previousValidUntil: validUntil !== undefined && now < Date.parse(validUntil) ? validUntil : null,
      rotating: rotating === undefined ? null : { since: rotating.since, by: rotating.by },
    },
    drift: state.drift ?? null,
    lastReconcile:
      lastReconcile === undefined ? null : { at: lastReconcile.at, failure: lastReconcile.failure ?? null },
    lastVerifiedAt: state.lastVerifiedAt ?? null,
    mismatchesLastHour: facts.mismatchesLastHour,
  };
}

function stateOf({ service, webhookUrl, document }: WebhookFacts): RegistrationState {
  if (service === undefined) return 'by-hand';
  return 'failure' in service ? 'unknown' : webhookState(service, webhookUrl, document !== undefined);
}

/** Removes credentials, query and fragment from another receiver's URL, and from a text that is no URL of the web. */
function redactUrl(url: string, webhookUrl: string): string {
  if (isSameUrl(url, webhookUrl)) return url;
  const end = url.search(/[?#]/);
  // It ends a password that has "?" or "#", or is a part of the query.
  if (end >= 0 && url.includes('@', end)) return hiddenAddress;
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  if (parsed !== null) {
    const place = parsed.origin + parsed.pathname;
    // A password may have "/" too.
    return place.includes('@') ? hiddenAddress : place;
  }
  const [place = ''] = url.slice(url.lastIndexOf('@') + 1).split(/[?#]/, 1);
  return place;
}

const hiddenAddress = 'an address that is not shown, because a part of it may be a password';
