/** The types of events on the bus: the `detail-type` of each. docs/reference/events.md describes them. */
export class DetailType {
  /** The status of a message changed. */
  static readonly STATUS_CHANGED = 'SMS Delivery Status Changed';
  /** A delivery report was received; only with `events.everyEvent`. */
  static readonly DELIVERY_EVENT = 'SMS Delivery Event';
  /** One report says that a message arrived, and another that it did not. */
  static readonly CONFLICT = 'SMS Delivery Conflict';
  /** A person replied. */
  static readonly REPLY_RECEIVED = 'SMS Reply Received';
  /** A number opted out. */
  static readonly OPT_OUT = 'SMS Opt-Out';
  /** A number opted in. */
  static readonly OPT_IN = 'SMS Opt-In';
  /** A reply asks for help. */
  static readonly HELP_REQUESTED = 'SMS Help Requested';
  /** A message waited too long for its final report. */
  static readonly STALE = 'SMS Delivery Stale';
  /** The card that pays for messages expires; only with `Automation.billingWatch`. */
  static readonly CARD_EXPIRING = 'SMS Billing Card Expiring';
  /** Another actor changed the webhook at the service. */
  static readonly WEBHOOK_DRIFTED = 'SMS Webhook Drifted';
  /** An event differs from the contract. */
  static readonly CONTRACT_DRIFTED = 'SMS Contract Drifted';
  /** Delivery is worse than usual; only with `Automation.deliveryWatch`. */
  static readonly DELIVERY_DEGRADED = 'SMS Delivery Degraded';
  /** Delivery is as usual again; only with `Automation.deliveryWatch`. */
  static readonly DELIVERY_RECOVERED = 'SMS Delivery Recovered';
  /** A source is worse than usual; only with `Automation.deliveryWatch`. */
  static readonly PROVIDER_DEGRADED = 'SMS Provider Degraded';
  /** A source is as usual again; only with `Automation.deliveryWatch`. */
  static readonly PROVIDER_RECOVERED = 'SMS Provider Recovered';

  private constructor() {}
}
