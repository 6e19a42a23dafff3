import { rankOf } from '../../../contract/schema/sms-event.ts';
import { type Message, messageOf, type Reply, replyOf } from '../../../functions/history/index.ts';
import { shuffled } from '../../../local/sms-service/random.ts';

/** One report of a made-up message. */
interface MadeReport {
  readonly id: string;
  readonly status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'undelivered' | 'expired';
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly reason?: 'landline' | 'blocked';
  readonly code?: string;
}

/** A made-up message, with all that will be reported of it. */
interface MadeMessage {
  readonly id: string;
  readonly send: string;
  readonly phone: string;
  readonly country: string;
  readonly reports: readonly MadeReport[];
}

interface MadeReply {
  readonly id: string;
  readonly of: MadeMessage;
  readonly isStop: boolean;
  readonly time: number;
}

/** What arrives at the history, in this order. */
type Arrival =
  | { readonly kind: 'message'; readonly view: Message }
  | { readonly kind: 'reply'; readonly view: Reply };

export interface Traffic {
  readonly messages: readonly MadeMessage[];
  readonly replies: readonly MadeReply[];
  readonly arrivals: readonly Arrival[];
}

const sendCount = 50;
/** Reports of a message, on average. */
const reportsPerMessage = 44 / 15;
const hourMs = 3_600_000;

/** Each country with the beginning of fictitious numbers. */
const countries = [
  ['US', '+1202555010'],
  ['CA', '+1416555010'],
  ['GB', '+44770090010'],
  ['BR', '+551195555010'],
] as const;

const failures = [
  { status: 'failed', reason: 'landline', code: '30006' },
  { status: 'undelivered', reason: 'blocked', code: '30004' },
  { status: 'undelivered', code: '30003' },
  { status: 'expired' },
] as const;

/** Makes messages of 50 sends over a day, replies to some of them, and an order of arrival in which a tenth comes twice. */
export function makeTraffic(events: number, random: () => number, startMs: number): Traffic {
  const messages = Array.from({ length: Math.round(events / reportsPerMessage) }, (_, index) => {
    const send = index % sendCount;
    const first = startMs + Math.floor(((send + random()) / sendCount) * 24 * hourMs);
    return makeMessage(index, `send-${send}`, first, random);
  });
  const replies = messages
    .filter(() => random() < 0.05)
    .map((of, index): MadeReply => {
      const last = of.reports.at(-1)?.time ?? startMs;
      return { id: `reply-${index}`, of, isStop: random() < 0.2, time: last + Math.floor(random() * hourMs) };
    });
  const once = [...messages.flatMap(reportsOf), ...replies.map(arrivalOf)];
  const twice = once.filter(() => random() < 0.1);
  return { messages, replies, arrivals: shuffled([...once, ...twice], random) };
}

function makeMessage(index: number, send: string, first: number, random: () => number): MadeMessage {
  const [country, prefix] = countries[Math.floor(random() ** 3 * countries.length)] ?? countries[0];
  const sent = first + Math.floor(random() * 2000);
  const final = sent + Math.floor(500 * 1.5 ** (random() * 20));
  const id = `message-${index}`;
  const failure = failures[Math.floor(random() * failures.length)] ?? failures[0];
  const ends: Omit<MadeReport, 'id'>[] =
    random() < 0.88 ? [{ status: 'delivered', time: final }] : [{ ...failure, time: final }];
  if (index % 3 === 0) ends.push({ status: 'read', time: final + 60_000 });
  const begins: Omit<MadeReport, 'id'>[] = [
    { status: 'queued', time: first },
    { status: 'sent', time: sent },
  ];
  // Some services report the end alone.
  const reports = index % 5 === 0 ? ends : [...begins, ...ends];
  return {
    id,
    send,
    phone: `${prefix}${index % 10}`,
    country,
    reports: reports.map((report, nth) => ({ ...report, id: `${id}-${nth}` })),
  };
}

function reportsOf({ id: messageId, send: sendId, phone, reports }: MadeMessage): Arrival[] {
  return reports.map(({ id: eventId, status, time, reason, code }) => {
    const occurredAt = new Date(time).toISOString();
    const event = { kind: 'sms.status', messageId, sendId, phone, eventId, status, occurredAt } as const;
    const error = {
      ...(reason !== undefined && { errorReason: reason }),
      ...(code !== undefined && { errorCode: code }),
    };
    return { kind: 'message', view: messageOf({ ...event, ...error, rank: rankOf(status) }, occurredAt) };
  });
}

function arrivalOf({ id: replyId, of, isStop, time }: MadeReply): Arrival {
  const occurredAt = new Date(time).toISOString();
  const event = { kind: 'sms.reply', eventId: `${replyId}-event`, replyId, from: of.phone } as const;
  const text = isStop ? 'STOP' : 'see you at nine';
  return { kind: 'reply', view: replyOf({ ...event, messageId: of.id, text, occurredAt }, occurredAt) };
}
