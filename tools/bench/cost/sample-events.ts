import { contentOf, eventId, eventOf, phoneOf, statuses, timeAfter, uuid } from '../reports.ts';

/** How much later the sample happens than the reports of other benches. A stored time of receipt is short where it is soon after the event. */
const later = Date.now() - Date.parse(timeAfter(0));
const shifted = (iso: string) => new Date(Date.parse(iso) + later).toISOString();

/** An event of the sample, as the service posts it. */
export interface SampleEvent {
  /** Signed with the request; the event's id. */
  readonly id: string;
  readonly content: { readonly data: { readonly id: string } };
}

interface SampleSize {
  readonly messages: number;
  /** The share of replies among all events; 0 to less than 1. */
  readonly replyShare: number;
}

/**
 * Returns the events of some messages in rounds: first every message's first report, and so on, then the replies. No two of a message
 * are in a round, so that none is folded into another. Ids, times and texts are as long as real ones.
 *
 * @param series makes the ids of one sample different from those of another
 */
export function roundsOf(series: string, { messages, replyShare }: SampleSize): SampleEvent[][] {
  const replies = Math.round((messages * statuses.length * replyShare) / (1 - replyShare));
  return [
    ...statuses.map((_status, step) =>
      Array.from({ length: messages }, (_, message) => {
        const event = eventOf({ series, message, step });
        return { id: event.eventId, content: contentOf({ ...event, occurredAt: shifted(event.occurredAt) }) };
      }),
    ),
    Array.from({ length: replies }, (_, number) => reply(series, number)),
  ];
}

function reply(series: string, number: number): SampleEvent {
  const occurred = number * 37 + 60_000;
  const content = {
    type: 'sms.reply',
    timestamp: shifted(timeAfter(occurred + 300)),
    data: {
      id: uuid(`${series} reply ${number}`),
      message_id: uuid(`${series} message ${number}`),
      from: phoneOf(number),
      to: '+12025550199',
      text: 'Thanks, that works for me. See you on Thursday at nine.',
      occurred_at: shifted(timeAfter(occurred)),
    },
  };
  return { id: eventId(`${series} reply ${number}`), content };
}
