import type { SecretDocument } from './secret-document.ts';
import { isSameUrl, type ServiceWebhook } from './service-webhook.ts';

/** What somebody changed at the service, past this pipeline. */
export type Drift = 'url-changed' | 'deactivated' | 'secret-rotated';

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
