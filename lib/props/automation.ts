import type { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** Keeps the contacts at the SMS service in step with opt-outs and opt-ins. */
export interface OptOutContactsProps {
  /**
   * Ids of contact lists at the SMS service for numbers that opted out, at most 20.
   *
   * @default - none
   */
  readonly optOutListIds?: string[];
  /**
   * Ids of contact lists at the SMS service that numbers get when they opt in again, at most 20. Lists are only added.
   *
   * @default - none
   */
  readonly optInListIds?: string[];
  /**
   * Notified of replies that may mean "stop" without being a keyword.
   *
   * @default - a topic of the pipeline
   */
  readonly topic?: ITopic;
}

/** Creates or updates the contact of each number that replies, at most once in 24 hours. */
export interface ContactSyncProps {
  /**
   * Ids of contact lists at the SMS service for these contacts, at most 20.
   *
   * @default - none
   */
  readonly listIds?: string[];
}

/** Sends notices about failed messages to people, grouped. */
export interface FailureAlertProps {
  /**
   * In whole minutes, from 5 to 1440.
   *
   * @default Duration.minutes(15)
   */
  readonly period?: Duration;
  /**
   * Receives the notices.
   *
   * @default - a topic of the pipeline
   */
  readonly topic?: ITopic;
}

/** Sends events to a URL, signed as Standard Webhooks says. */
export interface ForwardProps {
  /** An https URL without keys: it is readable in the template. */
  readonly url: string;
  /**
   * The types of the events that are sent, each one of {@link DetailType}.
   *
   * @default - changed states, replies, opt-outs and opt-ins
   */
  readonly detailTypes?: string[];
}

/** What an automation does, by its kind. */
export type AutomationConfig =
  | { readonly kind: 'optOutContacts'; readonly props: OptOutContactsProps }
  | { readonly kind: 'contactSync'; readonly props: ContactSyncProps }
  | { readonly kind: 'failureAlert'; readonly props: FailureAlertProps }
  | { readonly kind: 'forward'; readonly props: ForwardProps }
  | { readonly kind: 'billingWatch' }
  | { readonly kind: 'deliveryWatch' };

/** An automation that comes with the pipeline. Your own ones subscribe to the events: `sms.events.onReply(...)`. */
export class Automation {
  /** Keeps the contacts at the SMS service in step with opt-outs and opt-ins. It calls the service's API. */
  static optOutContacts(props: OptOutContactsProps = {}): Automation {
    return new Automation({ kind: 'optOutContacts', props });
  }

  /** Creates or updates the contact of each number that replies, at most once in 24 hours. It calls the service's API. */
  static contactSync(props: ContactSyncProps = {}): Automation {
    return new Automation({ kind: 'contactSync', props });
  }

  /** Sends notices about failed messages to people, grouped. */
  static failureAlert(props: FailureAlertProps = {}): Automation {
    return new Automation({ kind: 'failureAlert', props });
  }

  /** Sends events to a URL, signed as Standard Webhooks says. */
  static forward(props: ForwardProps): Automation {
    return new Automation({ kind: 'forward', props });
  }

  /** Publishes an event when the card that pays for messages expires within 30 days. It calls the service's API. */
  static billingWatch(): Automation {
    return new Automation({ kind: 'billingWatch' });
  }

  /** Publishes an event, and raises an alarm, when delivery is worse than in the same hours of the weeks before, also at one of several sources. It reads the counters of insights. */
  static deliveryWatch(): Automation {
    return new Automation({ kind: 'deliveryWatch' });
  }

  /** @internal */
  readonly _config: AutomationConfig;

  private constructor(config: AutomationConfig) {
    this._config = config;
  }
}
