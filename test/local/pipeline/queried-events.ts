/** An event of the sandbox in these tests, as it is posted, with its identity. */
export interface ReportedStatus {
  readonly kind: 'status';
  readonly messageId: string;
  readonly sendId: string;
  readonly phone: string;
  readonly status: string;
  readonly occurredAt: string;
}

export interface ReportedReply {
  readonly kind: 'reply';
  readonly replyId: string;
  readonly from: string;
  readonly text: string;
  readonly occurredAt: string;
}

/** An unreadable event: its time is not a time. */
interface ReportedNonsense {
  readonly kind: 'nonsense';
  readonly messageId: string;
  readonly phone: string;
}

export type Reported = ReportedStatus | ReportedReply | ReportedNonsense;

/** No other test of the shared pipeline has events of these days. */
const noon = Date.UTC(2026, 0, 5, 12);
/** Whole seconds, so that many events share a time. */
const at = (second: number) => new Date(noon + second * 1000).toISOString();

const courses = [
  ['queued', 'sent', 'delivered'],
  ['queued', 'sent', 'delivered', 'read'],
  ['queued', 'sent', 'failed'],
  ['accepted', 'queued', 'sent', 'undelivered'],
  ['queued', 'sent'],
  ['queued', 'expired'],
  ['sent', 'queued', 'delivered'],
  ['rejected'],
  ['queued', 'failed', 'delivered'],
] as const;

const texts = ['Yes, please', 'STOP', 'start', 'no', 'Sair!', 'stop texting me'];

/** Numbers that no test before has used. */
export const phoneOf = (number: number): string => `+1202555${String(160 + (number % 40)).padStart(4, '0')}`;

/** Events of three days, three sends, 40 numbers. */
export function reportedEvents(count: number): Reported[] {
  const replies: Reported[] = Array.from({ length: 120 }, (_, number) => ({
    kind: 'reply',
    replyId: `queried-reply-${number}`,
    from: phoneOf(number * 7),
    text: texts[(number + Math.floor(number / 40)) % texts.length] ?? '',
    occurredAt: at(Math.floor(number / 3) * 997),
  }));
  const nonsense: Reported[] = Array.from({ length: 20 }, (_, number) => ({
    kind: 'nonsense',
    messageId: `queried-nonsense-${number}`,
    phone: phoneOf(number),
  }));
  const statuses: Reported[] = [];
  for (let number = 0; statuses.length < count - replies.length - nonsense.length; number++)
    for (const [step, status] of (courses[number % courses.length] ?? []).entries())
      statuses.push({
        kind: 'status',
        messageId: `queried-${number}`,
        sendId: `queried-send-${number % 3}`,
        phone: phoneOf(number),
        status,
        occurredAt: at((number % 1500) * 120 + step),
      });
  return [...statuses, ...replies, ...nonsense].slice(0, count);
}

/** As the shipped contract writes an event. */
export function eventBody(event: Reported): object {
  if (event.kind === 'reply') {
    const { replyId, from, text, occurredAt } = event;
    return { type: 'sms.reply', data: { id: replyId, from, text, occurred_at: occurredAt } };
  }
  const { messageId, phone } = event;
  if (event.kind === 'nonsense')
    return { type: 'sms.status', data: { id: messageId, to: phone, status: 'sent', occurred_at: 'never' } };
  const { sendId, status, occurredAt } = event;
  const data = { id: messageId, send_id: sendId, to: phone, status, occurred_at: occurredAt };
  return { type: 'sms.status', data };
}
