import type { SecretDocument } from './secret-document.ts';

/** The service's webhook configuration; empty texts stand for what is not set. */
export interface ServiceWebhook {
  readonly url: string;
  readonly secret: string;
}

/**
 * Where the service sends events: to us, to somebody else's URL, nowhere any more, or nowhere yet.
 */
export type WebhookState = 'registered' | 'elsewhere' | 'deactivated' | 'never-configured';

/** What a person is told about the webhook: never a secret. */
export interface WebhookReport {
  /** The URL of this pipeline. */
  readonly webhookUrl: string;
  /** The URL the service sends to, without the query of somebody else's; empty where it sends nowhere. */
  readonly registeredUrl: string;
  readonly state: WebhookState;
  readonly secret: {
    readonly stored: boolean;
    /** Null where one side has no secret to compare. */
    readonly matchesService: boolean | null;
    /** ISO 8601. */
    readonly since: string | null;
    /** ISO 8601; null once the previous secret is no longer accepted. */
    readonly previousValidUntil: string | null;
  };
}

/** Whether two URLs are the same address; a service may write the host's case or the default port its own way. */
export function isSameUrl(one: string, other: string): boolean {
  return (
    one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href)
  );
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
): WebhookState {
  if (service.url !== '') return isSameUrl(service.url, webhookUrl) ? 'registered' : 'elsewhere';
  return service.secret !== '' || hasDocument ? 'deactivated' : 'never-configured';
}

/** @param now milliseconds since the epoch */
export function reportWebhook(
  service: ServiceWebhook,
  document: SecretDocument | undefined,
  webhookUrl: string,
  now: number,
): WebhookReport {
  const comparable = document !== undefined && service.secret !== '';
  const validUntil = document?.previous?.validUntil;
  return {
    webhookUrl,
    registeredUrl: showUrl(service.url, webhookUrl),
    state: webhookState(service, webhookUrl, document !== undefined),
    secret: {
      stored: document !== undefined,
      matchesService: comparable ? document.current.secret === service.secret : null,
      since: document?.current.since ?? null,
      previousValidUntil: validUntil !== undefined && now < Date.parse(validUntil) ? validUntil : null,
    },
  };
}

/** Somebody else's URL may carry a credential before its host or in its query. */
function showUrl(url: string, webhookUrl: string): string {
  if (isSameUrl(url, webhookUrl) || !URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
