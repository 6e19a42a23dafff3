import { createHash } from 'node:crypto';

/** The `source` of every event this pipeline puts on its bus. */
export const eventSource = 'sms.pipeline';

/** The `detail-type` of each event; docs/events.md says when it is published. */
export const detailTypes = {
  statusChanged: 'SMS Delivery Status Changed',
  deliveryEvent: 'SMS Delivery Event',
  conflict: 'SMS Delivery Conflict',
  replyReceived: 'SMS Reply Received',
  optOut: 'SMS Opt-Out',
  optIn: 'SMS Opt-In',
  helpRequested: 'SMS Help Requested',
  stale: 'SMS Delivery Stale',
  cardExpiring: 'SMS Billing Card Expiring',
  webhookDrifted: 'SMS Webhook Drifted',
  contractDrifted: 'SMS Contract Drifted',
} as const;

export type DetailType = (typeof detailTypes)[keyof typeof detailTypes];

/**
 * The id of a published fact: the same for the same fact, so that consumers can tell repeats.
 *
 * @param kind keeps different facts about one thing apart
 * @param parts what the fact is about
 * @returns 32 hexadecimal digits: half of the SHA-256 of both as JSON
 */
export function busEventId(kind: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('hex')
    .slice(0, 32);
}
