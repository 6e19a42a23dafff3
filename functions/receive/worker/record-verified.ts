import { type Clock, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { WebhookStateTable } from '../../registration/index.ts';
import type { Received } from './read-batch.ts';

/** Records when the last verified request of the service was received, for the webhook's status. Never throws. */
export type RecordVerified = (verified: readonly Received[]) => Promise<void>;

/** The minimum time between two writes of one instance, failed ones included. */
const minIntervalMs = 60_000;

export function createRecordVerified(
  state: Pick<WebhookStateTable, 'recordVerified'>,
  clock: Clock,
  log: Log,
): RecordVerified {
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  return async (verified) => {
    const now = clock();
    if (now - lastWriteAt < minIntervalMs) return;
    const newest = verified
      .flatMap(({ envelope }) => envelope?.receivedAt ?? [])
      .sort()
      .at(-1);
    if (newest === undefined) return;
    lastWriteAt = now;
    try {
      await state.recordVerified(newest);
    } catch (error) {
      log('VERIFIED_NOT_RECORDED', { error: errorName(error) });
    }
  };
}
