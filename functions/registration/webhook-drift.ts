import type { webhookDriftKinds } from '../publish/shapes.ts';
import type { SecretDocument } from './secret/secret-document.ts';

/** The service's webhook configuration. An empty text means that a value is not set. */
export interface ServiceWebhook {
  readonly url: string;
  /** Undefined if the service's API has no signing secret: an operator stores it. */
  readonly secret: string | undefined;
  /**
   * Set if another setting, such as the HTTP method, is not what the pipeline needs, or if the service still has the pipeline's URL for some
   * of its events. Registering corrects it.
   */
  readonly hasWrongSettings?: true;
}

/** Returns whether two URLs are the same address. A service may change the case of the host, or write the default port. */
export function isSameUrl(one: string, other: string): boolean {
  return (
    one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href)
  );
}

/** Returns whether the service sends any of its events here. A service with two URLs may have one of them. */
export function sendsHere({ url, hasWrongSettings }: ServiceWebhook, webhookUrl: string): boolean {
  return isSameUrl(url, webhookUrl) || (url === '' && hasWrongSettings !== undefined);
}

/** A change that another actor made at the service. */
export type Drift = (typeof webhookDriftKinds)[number];

/** Returns what another actor changed at the service since the webhook was registered. */
export function detectDrift(
  document: SecretDocument | undefined,
  service: ServiceWebhook,
  webhookUrl: string,
): Drift[] {
  const drift: Drift[] = [];
  if (service.url === '') drift.push('deactivated');
  else if (!isSameUrl(service.url, webhookUrl)) drift.push('url-changed');
  else if (service.hasWrongSettings !== undefined) drift.push('settings-changed');
  const isStored = document === undefined || !service.secret || document.current.secret === service.secret;
  if (!isStored && document.rotating === undefined) drift.push('secret-rotated');
  return drift;
}
