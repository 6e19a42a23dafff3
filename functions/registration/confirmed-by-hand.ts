import type { Clock } from '../base/basics.ts';
import type { WebhookSecretStore } from './secret/webhook-secret-store.ts';
import type { WebhookStateTable } from './webhook-state-store.ts';

/**
 * Makes the state of a pipeline without registration, where an operator stores the secret. There is no other secret to wait for, so
 * each read confirms the stored one, and a request that matches none of the stored secrets is rejected.
 */
export function createConfirmedByHand(
  secret: Pick<WebhookSecretStore, 'read'>,
  clock: Clock,
): Pick<WebhookStateTable, 'read'> {
  return {
    async read() {
      // The time is taken before the read: its answer may be as old as that.
      const at = new Date(clock()).toISOString();
      const stored = await secret.read();
      return stored === undefined ? {} : { confirmed: { at, versionId: stored.versionId } };
    },
  };
}
