import type { WebhookStateTable } from '../adapters/webhook-state-table.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Received } from './queue-message.ts';

/** Writes down when a verified request last came in, for people who ask for the webhook's status. Never throws. */
export type RecordVerified = (verified: readonly Received[]) => Promise<void>;

/** The shortest time between two writes of one instance, those that fail included. */
const intervalMs = 60_000;

export function createRecordVerified(
  state: Pick<WebhookStateTable, 'recordVerified'>,
  clock: Clock,
  log: Log,
): RecordVerified {
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  return async (verified) => {
    const newest = verified
      .flatMap(({ envelope }) => envelope?.receivedAt ?? [])
      .sort()
      .at(-1);
    const now = clock();
    if (newest === undefined || now - lastWriteAt < intervalMs) return;
    lastWriteAt = now;
    try {
      await state.recordVerified(newest);
    } catch (error) {
      log('VERIFIED_NOT_RECORDED', { error: error instanceof Error ? error.name : 'unknown' });
    }
  };
}
