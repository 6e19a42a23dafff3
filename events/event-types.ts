/** The `source` of every event this pipeline puts on its bus. */
export const eventSource = 'sms.pipeline';

/** The `detail-type` of each event. docs/reference/events.md describes when it is published. */
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
  deliveryDegraded: 'SMS Delivery Degraded',
  deliveryRecovered: 'SMS Delivery Recovered',
  providerDegraded: 'SMS Provider Degraded',
  providerRecovered: 'SMS Provider Recovered',
} as const;

export type DetailType = (typeof detailTypes)[keyof typeof detailTypes];
