import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { outcomeOf, rankOf } from '../../../contract/schema/sms-event.ts';
import { costFields } from './cost-fields.ts';
import type { Report } from './courses.ts';
import type { SampleCountry } from './customers.ts';
import { failureFields } from './failure-fields.ts';

/** A signed request to play. */
export type SampleEvent = {
  /** Identifies the event; one that is sent twice has the same. */
  readonly id: string;
  /** When the webhook receives it; milliseconds since the epoch. */
  readonly at: number;
  readonly isForged?: boolean;
} & (
  | { readonly kind: 'sms.status' | 'sms.reply'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'body'; readonly body: string }
);

/** Returns a source of ids, such as `msg_1f0k3m9q2v`. */
export function createIds(random: () => number): (kind: 'msg' | 'evt' | 'rep') => string {
  return (kind) => {
    const text = Array.from({ length: 12 }, () => Math.floor(random() * 36).toString(36)).join('');
    return `${kind}_${text}`;
  };
}

export interface ReportedMessage {
  readonly messageId: string;
  readonly sendId: string | undefined;
  readonly phone: string;
}

/** Returns the events of a message: its reports that the contract has a word for. Another contract draws the same ids, so a sample keeps its messages. */
export function reportEvents(
  { errors, statuses, events }: Contract,
  { messageId, sendId, phone }: ReportedMessage,
  reports: readonly Report[],
  newId: () => string,
): SampleEvent[] {
  const reported = new Set<string>(Object.values(statuses));
  return reports
    .map((report) => ({ ...report, id: newId() }))
    .filter(({ status }) => reported.has(status))
    .map(({ id, status, occurredAt, at, reason }) => ({
      kind: 'sms.status',
      id,
      at,
      fields: {
        messageId,
        recipient: phone,
        status,
        occurredAt: new Date(occurredAt).toISOString(),
        ...(sendId !== undefined && { sendId }),
        ...(reason !== undefined && failureFields(errors, reason)),
        ...(isCharged(status) && costFields(events.status, messageId, phone)),
      },
    }));
}

/** Services know the price once they have handed the message over. They charge for none that they reject themselves. */
function isCharged(status: Report['status']): boolean {
  return outcomeOf(rankOf(status)) !== 'open' && status !== 'rejected';
}

/** Returns a reply to a message. */
export function replyEvent(
  { messageId, phone }: Pick<ReportedMessage, 'messageId' | 'phone'>,
  { sender }: Pick<SampleCountry, 'sender'>,
  { text, occurredAt, replyId, id }: { text: string; occurredAt: number; replyId: string; id: string },
): SampleEvent {
  return {
    kind: 'sms.reply',
    id,
    at: occurredAt + 900,
    fields: {
      replyId,
      messageId,
      from: phone,
      to: sender,
      text,
      occurredAt: new Date(occurredAt).toISOString(),
    },
  };
}
