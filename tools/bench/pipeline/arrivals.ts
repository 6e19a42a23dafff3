/** How the events of a message come in: no two of them in a batch of the worker, or all in the same one. */
export type Arrangement = 'apart' | 'together';

/** A delivery report that is sent: the id that is signed with it, and its body. */
export interface Arrival {
  readonly messageId: string;
  readonly eventId: string;
  readonly body: Buffer;
}

const statuses = ['queued', 'sent', 'delivered'] as const;
export const eventsPerMessage = statuses.length;

const messagesPerSend = 1000;
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/**
 * The events of so many messages, in the order in which they are sent: message by message, or all first events, then all
 * second ones, then all third ones.
 *
 * @param series what the ids begin with
 */
export function arrivalsOf(arrangement: Arrangement, series: string, messages: number): Arrival[] {
  const numbers = Array.from({ length: messages }, (_, number) => number);
  if (arrangement === 'together')
    return numbers.flatMap((number) => statuses.map((_, step) => arrival(series, number, step)));
  return statuses.flatMap((_, step) => numbers.map((number) => arrival(series, number, step)));
}

function arrival(series: string, number: number, step: number): Arrival {
  const messageId = `${series}-${String(number).padStart(6, '0')}`;
  const data = {
    id: messageId,
    send_id: `${series}-send-${Math.floor(number / messagesPerSend)}`,
    to: `+120255501${String(number % 100).padStart(2, '0')}`,
    status: statuses[step],
    occurred_at: new Date(begin + number * 37 + step * 2113).toISOString(),
  };
  return {
    messageId,
    eventId: `${messageId}-${step}`,
    body: Buffer.from(JSON.stringify({ type: 'sms.status', data })),
  };
}

/**
 * Where history differs from what was sent, in words: each message with its last status, and each of its events once.
 *
 * @param history by message id `<status> <number of events> <their ids>`, as `storedHistory` gives it
 * @param series what the ids begin with; other messages are none of ours
 */
export function brokenHistory(
  arrivals: readonly Arrival[],
  history: ReadonlyMap<string, string>,
  series: string,
): string[] {
  const expected = new Map(
    [...Map.groupBy(arrivals, ({ messageId }) => messageId)].map(([messageId, own]) => {
      const ids = own.map(({ eventId }) => eventId).sort();
      return [messageId, `${statuses.at(-1)} ${ids.length} ${ids.join(' ')}`];
    }),
  );
  return [
    ...[...expected]
      .filter(([messageId, text]) => history.get(messageId) !== text)
      .map(([messageId, text]) => `${messageId}: expected ${text}, found ${history.get(messageId)}`),
    ...[...history.keys()]
      .filter((messageId) => messageId.startsWith(`${series}-`) && !expected.has(messageId))
      .map((messageId) => `${messageId} is stored and was not sent`),
  ];
}
