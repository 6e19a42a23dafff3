import { contentId } from '../events/event-id.ts';
import type { Contract } from './contract.ts';

/** Names what a contract says of requests and events, in 12 characters: the same for contracts that read them alike. */
export function contractHash({ webhook, events, statuses, errors }: Contract): string {
  return contentId({ webhook, events, statuses, errors }).slice(0, 12);
}
