import { digest, uuid } from '../../support/made-ids.ts';

/** An event of the sample, as the service posts it. */
export interface SampleEvent {
  /** Signed with the request; the event's id. */
  readonly id: string;
  readonly body: Buffer;
}

interface SampleSize {
  readonly messages: number;
  /** The share of replies among all events; 0 to less than 1. */
  readonly replyShare: number;
}

const statuses = ['queued', 'sent', 'delivered'] as const;
const messagesPerSend = 1000;
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/**
 * The events of some messages in rounds: first every message's first report, and so on, then the replies. No two of a message
 * are in a round, so that none is folded into another. Ids, times and texts are as long as real ones.
 *
 * @param series makes the ids of one sample different from those of another
 */
export function roundsOf(series: string, { messages, replyShare }: SampleSize): SampleEvent[][] {
  const numbers = Array.from({ length: messages }, (_, number) => number);
  const replies = Math.round((messages * statuses.length * replyShare) / (1 - replyShare));
  return [
    ...statuses.map((_status, step) => numbers.map((number) => report(series, number, step))),
    Array.from({ length: replies }, (_, number) => reply(series, number)),
  ];
}

function report(series: string, number: number, step: number): SampleEvent {
  const occurredAt = begin + number * 37 + step * 2113;
  return eventOf(`${series} report ${number} ${step}`, {
    type: 'sms.status',
    timestamp: new Date(occurredAt + 300).toISOString(),
    data: {
      id: uuid(`${series} message ${number}`),
      send_id: uuid(`${series} send ${Math.floor(number / messagesPerSend)}`),
      to: phone(number),
      status: statuses[step],
      occurred_at: new Date(occurredAt).toISOString(),
    },
  });
}

function reply(series: string, number: number): SampleEvent {
  const occurredAt = begin + number * 37 + 60_000;
  return eventOf(`${series} reply ${number}`, {
    type: 'sms.reply',
    timestamp: new Date(occurredAt + 300).toISOString(),
    data: {
      id: uuid(`${series} reply ${number}`),
      message_id: uuid(`${series} message ${number}`),
      from: phone(number),
      to: '+12025550199',
      text: 'Thanks, that works for me. See you on Thursday at nine.',
      occurred_at: new Date(occurredAt).toISOString(),
    },
  });
}

function eventOf(name: string, body: object): SampleEvent {
  return { id: `msg_${digest(name).slice(0, 27)}`, body: Buffer.from(JSON.stringify(body)) };
}

const phone = (number: number) => `+120255501${String(number % 100).padStart(2, '0')}`;
