import { omitUndefined } from '../../base/basics.ts';
import type { QuarantineReason } from './quarantine.ts';
import type { QuarantineReader } from './quarantine-list-store.ts';
import {
  type DuplicateRisk,
  type NotReplayable,
  type Reading,
  replayableRequest,
} from './replayable-request.ts';
import type { Requeue } from './requeue-store.ts';

/** An entry was `sent`, or would be in a dry run; it is `gone` from quarantine; it is `notRequested` unless its reason or its id is given. */
export type ReplayOutcome = 'sent' | 'gone' | 'failed' | 'notRequested' | NotReplayable;

/** The result of replaying one entry. */
export interface Replayed {
  /** Undefined if the entry could not be read. */
  readonly reason: QuarantineReason | undefined;
  readonly outcome: ReplayOutcome;
  /** The entry that stays because an event of it would be stored twice. */
  readonly risky?: { readonly id: string; readonly risk: DuplicateRisk };
  /** Why it failed. */
  readonly error?: unknown;
}

/**
 * Queues the request of an entry, and removes the entry once the queue has confirmed the request. Never throws.
 *
 * @param requeue undefined for a dry run
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
    if (entry === undefined) return { reason, outcome: 'gone' };
    reason = entry.reason;
    const replayable = replayableRequest(entry, reading);
    if ('stays' in replayable) {
      const { stays, risk } = replayable;
      return { reason, outcome: stays, ...omitUndefined({ risky: risk && { id, risk } }) };
    }
    await requeue?.send(replayable.envelope);
    await requeue?.remove(id);
    return { reason, outcome: 'sent' };
  } catch (error) {
    return { reason, outcome: 'failed', error };
  }
}

/** Explains why the events of an entry may be stored a second time. */
export const whyTwice: Readonly<Record<DuplicateRisk, string>> = {
  'body-stored':
    'the other events of this body are stored, and the rules for ids (events.list, events.id) have changed since',
  'id-changed':
    'its id comes from its place or its content, and the rules for ids (events.list, events.id) have changed since',
};
