import { type CanonicalStatus, rankOf } from '../../../contract/schema/sms-event.ts';
import type { HistoryChange } from '../../../functions/counters/deltas.ts';
import {
  type Message,
  mergeMessages,
  messageOf,
  type Reply,
  replyOf,
} from '../../../functions/history/message.ts';

/** Events as they reach the history, in the order of their times. */
export interface TrafficSettings {
  /** Events a second: three reports of a message, and replies. */
  readonly perSecond: number;
  /** Messages of a send; 0 for messages that are in none. */
  readonly sendSize: number;
  /** Seconds without a new message after each send. */
  readonly pauseSeconds: number;
  readonly events: number;
  /** From 0 to less than 1. */
  readonly random: () => number;
}

/** A change of the history, and when it is written; milliseconds since 1970. */
export interface TimedChange {
  readonly at: number;
  readonly id: string;
  readonly change: HistoryChange;
}

const reportsPerMessage = 3;
const repliesPerEvent = 0.05;
const start = Date.UTC(2026, 0, 15);

/** Assumed of services: a report from the carrier within two seconds, and the final one after four seconds in the median, ten in one of 17 cases. */
const sentWithinMs = 2000;
const medianDeliveryMs = 4000;
const deliverySpread = 0.6;
const failedShare = 0.08;
const codes = ['30003', '30004', '30005', '30006', '30007', '30008'];

type Arrival =
  | { readonly at: number; readonly kind: 'message'; readonly view: Message }
  | { readonly at: number; readonly kind: 'reply'; readonly view: Reply };

/** Makes messages that begin at random times, with their reports and replies, as changes of the history. */
export function makeChanges(settings: TrafficSettings): TimedChange[] {
  const messages = Math.round((settings.events * (1 - repliesPerEvent)) / reportsPerMessage);
  const meanGapMs = (1000 * settings.events) / messages / settings.perSecond;
  let at = start;
  const arrivals = Array.from({ length: messages }, (_, index) => {
    at += -Math.log(1 - settings.random()) * meanGapMs;
    if (index > 0 && index % settings.sendSize === 0) at += settings.pauseSeconds * 1000;
    return arrivalsOf(index, Math.floor(at), settings);
  });
  const stored = new Map<string, Message>();
  return arrivals
    .flat()
    .sort((a, b) => a.at - b.at)
    .map((arrival): TimedChange => {
      if (arrival.kind === 'reply') {
        const change = { kind: 'reply', before: undefined, after: arrival.view } as const;
        return { at: arrival.at, id: arrival.view.replyId, change };
      }
      const { messageId } = arrival.view;
      const before = stored.get(messageId);
      const after = before === undefined ? arrival.view : mergeMessages(before, arrival.view);
      stored.set(messageId, after);
      return { at: arrival.at, id: messageId, change: { kind: 'message', before, after } };
    });
}

function arrivalsOf(index: number, first: number, { sendSize, random }: TrafficSettings): Arrival[] {
  const messageId = `message-${index}`;
  const phone = `+120255501${String(index % 100).padStart(2, '0')}`;
  const send = sendSize === 0 ? {} : { sendId: `send-${Math.floor(index / sendSize)}` };
  const sent = first + Math.floor(random() * sentWithinMs);
  const final = sent + Math.floor(medianDeliveryMs * Math.exp(deliverySpread * normal(random)));
  const isFailed = random() < failedShare;
  const reports = [
    { status: 'queued', at: first },
    { status: 'sent', at: sent },
    isFailed
      ? { status: 'undelivered', at: final, errorCode: codes[Math.floor(random() * codes.length)] ?? '' }
      : { status: 'delivered', at: final },
  ] as const satisfies readonly { status: CanonicalStatus; at: number; errorCode?: string }[];
  const arrivals = reports.map(({ at, status, ...error }): Arrival => {
    const occurredAt = new Date(at).toISOString();
    const event = {
      kind: 'sms.status',
      eventId: `${messageId}-${status}`,
      messageId,
      phone,
      ...send,
    } as const;
    const view = messageOf({ ...event, status, rank: rankOf(status), occurredAt, ...error }, occurredAt);
    return { at, kind: 'message', view };
  });
  const perMessage = (repliesPerEvent * reportsPerMessage) / (1 - repliesPerEvent);
  if (random() < perMessage) arrivals.push(replyTo(messageId, phone, final + Math.floor(random() * 600_000)));
  return arrivals;
}

function replyTo(messageId: string, from: string, at: number): Arrival {
  const occurredAt = new Date(at).toISOString();
  const replyId = `reply-to-${messageId}`;
  const event = {
    kind: 'sms.reply',
    eventId: replyId,
    replyId,
    messageId,
    from,
    text: 'see you at nine',
  } as const;
  return { at, kind: 'reply', view: replyOf({ ...event, occurredAt }, occurredAt) };
}

/** Returns a number of the standard normal distribution (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
