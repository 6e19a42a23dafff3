const minuteMs = 60_000;

/** Messages are created for so long. */
export const createdForMs = 90 * minuteMs;

/** Messages of one send, which are created at once. */
const sendSize = 200;

/** An event that the service has for the webhook, in the fields of the contract. */
export interface MadeEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly fields: Readonly<Record<string, string>>;
}

const failures = [
  { status: 'undelivered', errorCode: '30003' },
  { status: 'failed', errorCode: '30006' },
  { status: 'rejected' },
] as const;

/** Makes the events of messages in sends, in order of their time: queued, sent, and one final status. */
export function makeEvents(messages: number, random: () => number, startMs: number): MadeEvent[] {
  const sends = Math.ceil(messages / sendSize);
  const events = Array.from({ length: messages }, (_, index) => {
    const send = Math.floor(index / sendSize);
    const created = startMs + Math.floor((createdForMs * send) / sends);
    const sent = created + 1000 + Math.floor(random() * 2000);
    const final = sent + 1000 + Math.floor(120_000 * random() ** 3);
    const end = random() < 0.9 ? { status: 'delivered' } : failures[Math.floor(random() * failures.length)];
    const messageId = `message-${index}`;
    const event = (at: number, status: object, name: string): MadeEvent => ({
      id: `${messageId}-${name}`,
      at,
      fields: {
        messageId,
        sendId: `send-${send}`,
        recipient: '+12025550143',
        occurredAt: new Date(at).toISOString(),
        ...status,
      },
    });
    return [
      event(created, { status: 'queued' }, 'queued'),
      event(sent, { status: 'sent' }, 'sent'),
      event(final, end ?? { status: 'delivered' }, 'final'),
    ];
  });
  return events.flat().sort((a, b) => a.at - b.at);
}
