import { defined } from '../runtime/basics.ts';
import type { Item } from './history-item-store.ts';
import type { Message, Reply, ReplyEntry, StatusEntry } from './message.ts';

/** Items of format 1, which pipelines before 1.0 wrote. They are read, and replaced by format 2 with their next write. */

/** The attributes of events begin with this. */
export const eventPrefix = 'event#';

export function messageFromFormatOne(item: Item): Message {
  const { messageId, phone: key, number: phone = key, sendId, firstSeenAt } = valuesOf(item);
  return {
    messageId,
    ...defined({ phone, sendId }),
    firstSeenAt,
    events: eventsOf<StatusEntry>(item),
  } as Message;
}

export function replyFromFormatOne(item: Item): Reply {
  const { replyId, eventId, messageId, from, to, text, occurredAt, receivedAt, original } = valuesOf(item);
  return {
    replyId,
    standing: { eventId, from, text, occurredAt, receivedAt, ...defined({ messageId, to, original }) },
    superseded: eventsOf<ReplyEntry>(item),
  } as Reply;
}

function eventsOf<E extends { readonly eventId: string }>(item: Item): Map<string, E> {
  const entries = Object.entries(item).filter(([name]) => name.startsWith(eventPrefix));
  return new Map(
    entries.map(([name, value]) => {
      const eventId = name.slice(eventPrefix.length);
      return [eventId, { eventId, ...valuesOf(value.M ?? {}) } as E];
    }),
  );
}

/** Returns texts and numbers; the format has no other values that are read. */
function valuesOf(item: Item): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, { S, N }]) => {
      const value = S ?? (N === undefined ? undefined : Number(N));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
