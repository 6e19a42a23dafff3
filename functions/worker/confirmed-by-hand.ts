import type { WebhookSecretStore } from '../adapters/webhook-secret.ts';
import type { WebhookStateTable } from '../adapters/webhook-state-table.ts';
import type { Clock } from '../core/clock.ts';

/**
 * What is known of the secret where people store it: there is no other one to wait for, so what is stored is confirmed whenever it
 * is read, and what fits none of it is refused.
 */
export function createConfirmedByHand(
  secret: Pick<WebhookSecretStore, 'read'>,
  clock: Clock,
): Pick<WebhookStateTable, 'read'> {
  return {
    async read() {
      // Before the read: its answer may be as old as that.
      const at = new Date(clock()).toISOString();
      const stored = await secret.read();
      return stored === undefined ? {} : { confirmed: { at, versionId: stored.versionId } };
    },
  };
}
