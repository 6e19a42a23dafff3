import { createHash } from 'node:crypto';

/** The `source` of every event this pipeline puts on its bus. */
export const eventSource = 'sms.pipeline';

/** The `detail-type` of each event. docs/events.md describes when it is published. */
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
 * Returns the id of a published fact. The same fact always has the same id, so that consumers can deduplicate.
 *
 * @param kind distinguishes different facts about one subject
 * @param parts the subject of the fact
 * @returns 32 hexadecimal digits: half of the SHA-256 of both as JSON
 */
export function busEventId(kind: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('hex')
    .slice(0, 32);
}
