import type { Contract } from '../functions/core/contract/contract.ts';
import { contractHash, identityHash } from '../functions/core/contract/hash.ts';
import { contentId } from '../functions/core/events/event-id.ts';
import type { EventMapper } from '../functions/core/events/mapping.ts';
import type { QuarantinedEntry } from '../functions/core/quarantine.ts';

/** Why a replay may store an event that is stored already, under another id. */
export type DuplicateRisk =
  /** It is a whole body, and the other events of it were stored by rules for ids that have changed since. */
  | 'body-stored'
  /** It is one event, and the rules that its id comes from have changed since: a redelivery of it has another id. */
  | 'id-changed'
  /** The same may be so: the version that kept it did not note the rules, and the contract is another one. */
  | 'id-may-have-changed';

/** Reasons of events that could be read: another delivery of one may have been stored under the contract of then. */
const readThen: ReadonlySet<string> = new Set(['message-full', 'storage-refused']);

/**
 * Whether events of an entry, or the event itself from another delivery, may be stored under ids that the contract would not give
 * them again.
 *
 * @param mapped what the contract reads in the entry
 * @returns undefined where a replay stores nothing twice
 */
export function duplicateRisk(
  { reason, index, eventsInBody, identity, contract: receivedBy }: QuarantinedEntry,
  contract: Contract,
  mapped: ReturnType<EventMapper>,
): DuplicateRisk | undefined {
  // Of any other body that is kept whole no event was stored.
  if (index === undefined && reason !== 'events-dropped') return undefined;
  const isSame =
    identity === undefined ? receivedBy === contractHash(contract) : identity === identityHash(contract);
  if (isSame) return undefined;
  if (index === undefined) return 'body-stored';
  if (!readThen.has(reason)) {
    if (contract.events.id.from === 'body' && mapped.every(hasIdOfItsOwn)) return undefined;
    // Nothing else of its body could be stored.
    if (identity === undefined && eventsInBody === 1) return undefined;
  }
  return identity === undefined ? 'id-may-have-changed' : 'id-changed';
}

/** Whether its id is in the event: then it is the same wherever the event is found. */
function hasIdOfItsOwn(mapped: ReturnType<EventMapper>[number]): boolean {
  return mapped.readable && mapped.event.eventId !== contentId(mapped.content);
}
