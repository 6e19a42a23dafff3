import { contentId } from '../events/event-id.ts';
import type { Contract } from './contract.ts';

/** Names what a contract says of requests and events, in 12 characters: the same for contracts that read them alike. */
export function contractHash({ webhook, events, statuses, errors }: Contract): string {
  return contentId({ webhook, events, statuses, errors }).slice(0, 12);
}

/**
 * Names the rules that an event's id comes from, in 12 characters: two contracts with the same give an event of a body the same id.
 * The id is in the signature, in the event or its content, and `events.list` decides what the event is and which place it has.
 */
export function identityHash({ webhook, events }: Pick<Contract, 'webhook' | 'events'>): string {
  const { bodyFormat, signature } = webhook;
  const { list, id } = events;
  const signedId = id.from === 'signed-id' && 'id' in signature ? signature.id : null;
  return contentId({ bodyFormat, list, id, signedId }).slice(0, 12);
}
