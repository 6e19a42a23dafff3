import type { SecretDocument } from './secret-document.ts';

/** The service's webhook configuration; empty texts stand for what is not set. */
export interface ServiceWebhook {
  readonly url: string;
  readonly secret: string;
}

/** Whether two URLs are the same address; a service may write the host's case or the default port its own way. */
export function isSameUrl(one: string, other: string): boolean {
  return (
    one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href)
  );
}

/** What somebody may change at the service, past this pipeline. */
export const driftKinds = ['url-changed', 'deactivated', 'secret-rotated'] as const;

export type Drift = (typeof driftKinds)[number];

/** What was changed elsewhere, while the webhook is wanted and was registered. */
export function detectDrift(
  document: SecretDocument | undefined,
  service: ServiceWebhook,
  webhookUrl: string,
): Drift[] {
  const drift: Drift[] = [];
  if (service.url === '') drift.push('deactivated');
  else if (!isSameUrl(service.url, webhookUrl)) drift.push('url-changed');
  const isKnown =
    document === undefined || service.secret === '' || document.current.secret === service.secret;
  if (!isKnown && document.rotating === undefined) drift.push('secret-rotated');
  return drift;
}
