import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { createRandom } from '../../sms-service/random.ts';
import { supportPhone } from './customers.ts';
import { createIds, replyEvent, reportEvents, type SampleEvent } from './sample-event.ts';
import { dayMs, type SampleSend } from './sends.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/**
 * A message to the customer, or what the customer writes. Times are milliseconds since the beginning of today in UTC. `send` is in the id of
 * the send of that day.
 */
type Step =
  | {
      readonly kind: 'message';
      readonly at: number;
      readonly send?: string;
      readonly isRead?: boolean;
      readonly isContradicted?: boolean;
    }
  | { readonly kind: 'reply'; readonly at: number; readonly text: string };

/** "Did +1 202 555 0143 get yesterday's message, and what did they answer?" */
const steps: readonly Step[] = [
  { kind: 'message', at: -23 * dayMs + 970.45 * minuteMs },
  { kind: 'message', at: -9 * dayMs + 601.28 * minuteMs, send: 'sale', isContradicted: true },
  { kind: 'message', at: -1 * dayMs + 901.38 * minuteMs, send: 'appointment-reminders', isRead: true },
  { kind: 'reply', at: -1 * dayMs + 912.62 * minuteMs, text: "Yes, I'll be there. Is there parking nearby?" },
  { kind: 'message', at: -1 * dayMs + 918.17 * minuteMs, isRead: true },
  { kind: 'reply', at: -1 * dayMs + 921.73 * minuteMs, text: 'Great, thank you!' },
];

/** Returns the events of the number that the support question is about. */
export function supportCase(contract: Contract, today: number, sends: readonly SampleSend[]): SampleEvent[] {
  const newId = createIds(createRandom(143));
  let messageId = '';
  return steps.flatMap((step): SampleEvent[] => {
    const at = Math.round(today + step.at);
    if (step.kind === 'reply') {
      const reply = { text: step.text, occurredAt: at, replyId: newId('rep'), id: newId('evt') };
      return [replyEvent({ messageId, phone: supportPhone }, { sender: '+12025550100' }, reply)];
    }
    messageId = newId('msg');
    const message = {
      messageId,
      phone: supportPhone,
      sendId: sendOf(step, at, sends),
    };
    const statuses = [
      ['accepted', 0],
      ['sent', 1.1 * secondMs],
      ...(step.isContradicted === true ? ([['undelivered', 3.6 * secondMs]] as const) : []),
      ['delivered', 4.3 * secondMs],
      ...(step.isRead === true ? ([['read', 2 * minuteMs]] as const) : []),
    ] as const;
    const reports = statuses.map(([status, after]) => {
      const occurredAt = Math.round(at + after);
      const failure = status === 'undelivered' ? ({ reason: 'unreachable' } as const) : {};
      return { status, occurredAt, at: occurredAt + 700, ...failure };
    });
    return reportEvents(contract, message, reports, () => newId('evt'));
  });
}

function sendOf({ send }: { send?: string }, at: number, sends: readonly SampleSend[]): string | undefined {
  if (send === undefined) return undefined;
  return sends.find(
    ({ id, startsAt }) => id.includes(send) && Math.floor(startsAt / dayMs) === Math.floor(at / dayMs),
  )?.id;
}
