import {
  type CanonicalStatus,
  type ReplyEvent,
  rankOf,
  type StatusEvent,
} from '../../../contract/schema/sms-event.ts';
import type { Page, PageRequest } from '../../../functions/history/lists/time-range.ts';
import { type Message, messageOf, type Reply, replyOf } from '../../../functions/history/message.ts';

const noon = Date.UTC(2026, 0, 15, 12);

/** So many seconds after noon of 15 January 2026; ISO 8601 in UTC. */
export const at = (second: number): string => new Date(noon + second * 1000).toISOString();

/** Other facts of an event, and when it was received, in seconds after noon; 50 by default. */
type Facts<Event> = Partial<Omit<Event, 'kind'>> & { readonly received?: number };

/** A message with one report, which happened so many seconds after noon. */
export function report(
  messageId: string,
  eventId: string,
  status: CanonicalStatus,
  second: number,
  { received = 50, ...facts }: Facts<StatusEvent> = {},
): Message {
  const event = { kind: 'sms.status', messageId, eventId, status, rank: rankOf(status) } as const;
  return messageOf({ ...event, occurredAt: at(second), ...facts }, at(received));
}

/** A reply with one version, which was sent so many seconds after noon. */
export function replied(
  replyId: string,
  eventId: string,
  second: number,
  { received = 50, ...facts }: Facts<ReplyEvent> = {},
): Reply {
  const event = {
    kind: 'sms.reply',
    replyId,
    eventId,
    from: '+12025550143',
    text: `text ${eventId}`,
  } as const;
  return replyOf({ ...event, occurredAt: at(second), ...facts }, at(received));
}

/** Reads a list to its end, in pages of so many entries. */
export async function readAll<T>(read: (page: PageRequest) => Promise<Page<T>>, limit = 3): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.entries);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}
