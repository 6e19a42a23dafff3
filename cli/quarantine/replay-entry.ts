import type { QuarantineReader } from '../../functions/lists/quarantine-list-store.ts';
import type { QuarantineReason } from '../../functions/quarantine/quarantine.ts';
import type { Requeue } from '../target/connection.ts';
import {
  type DuplicateRisk,
  type NotReplayable,
  type Reading,
  replayableRequest,
} from './replayable-request.ts';

/**
 * What became of an entry: `sent` is also what would have been, `gone` what is in quarantine no more, `unasked` what is only
 * replayed where its reason or its id is given.
 */
export type Fate = 'sent' | 'gone' | 'failed' | 'unasked' | NotReplayable;

export interface Replayed {
  /** Undefined where the entry could not be read. */
  readonly reason: QuarantineReason | undefined;
  readonly fate: Fate;
  /** The entry, and what would be stored twice; only where it stays for that. */
  readonly risky?: { readonly id: string; readonly risk: DuplicateRisk };
  /** Why it failed. */
  readonly error?: unknown;
}

/**
 * Queues the request of an entry, and removes the entry once the queue has confirmed that. Never throws.
 *
 * @param requeue undefined to change nothing
 */
export async function replayEntry(
  id: string,
  quarantine: Pick<QuarantineReader, 'entry'>,
  reading: Reading,
  requeue: Requeue | undefined,
): Promise<Replayed> {
  let reason: QuarantineReason | undefined;
  try {
    const entry = await quarantine.entry(id);
    if (entry === undefined) return { reason, fate: 'gone' };
    reason = entry.reason;
    const replayable = replayableRequest(entry, reading);
    if ('stays' in replayable) {
      const { stays, risk } = replayable;
      return { reason, fate: stays, ...(risk === undefined ? {} : { risky: { id, risk } }) };
    }
    await requeue?.send(replayable.envelope);
    await requeue?.remove(id);
    return { reason, fate: 'sent' };
  } catch (error) {
    return { reason, fate: 'failed', error };
  }
}
