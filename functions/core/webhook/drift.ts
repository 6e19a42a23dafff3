import type { SecretDocument } from './secret-document.ts';
import { isSameUrl, type ServiceWebhook } from './service-webhook.ts';

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
