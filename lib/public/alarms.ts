import type { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** Whom the alarms notify, and when they go off. */
export interface AlarmsProps {
  /**
   * Makes the alarms. False is for development stacks.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Notified of tickets and of their end. They have time until the morning.
   *
   * @default - no one, with a warning at synth
   * @see docs/start/deploy.md#the-alarm-topic
   */
  readonly topic?: ITopic;
  /**
   * Notified of pages and of their end. Events are being lost or delayed, or the webhook cannot be checked.
   *
   * @default - `topic`
   * @see docs/operate/alarms.md
   */
  readonly page?: ITopic;
  /**
   * Where your operators read docs/operate/alarms.md: descriptions of alarms link there. For example
   * `https://example.com/sms/alarms.md`, at most 200 characters.
   *
   * @default - descriptions name the page, without a link
   */
  readonly runbookUrl?: string;
  /**
   * The values at which alarms go off.
   *
   * @default - the defaults of {@link AlarmThresholds}
   * @see docs/start/own-app.md#thresholds-of-alarms
   */
  readonly thresholds?: AlarmThresholds;
}

/** The values at which alarms go off: at them, and above. */
export interface AlarmThresholds {
  /**
   * RequestsNotAccepted: webhook requests in a minute that were answered with 5xx or 429. Each may be a lost event. The same number of 5xx
   * of all routes sets off ApiServerErrors.
   *
   * @default 1
   */
  readonly requestsNotAccepted?: number;
  /**
   * RequestsRejected and RejectedSource: webhook requests in five minutes whose signature, or whose address, did not fit.
   *
   * @default 10
   */
  readonly requestsRejected?: number;
  /**
   * EventsQuarantined: events in five minutes that the contract does not describe.
   *
   * @default 1
   */
  readonly eventsQuarantined?: number;
  /**
   * QueueBehind: the age of the oldest event that is not stored, in whole seconds from one minute to a day. It must be longer than
   * `worker.batchWindow`.
   *
   * @default Duration.minutes(5), or twice `worker.batchWindow` if that is longer
   */
  readonly queueBehind?: Duration;
  /**
   * PublisherBehind: the age of the oldest change that is not published, from one minute to 22 hours. A token is in milliseconds:
   * `Duration.millis(token)`.
   *
   * @default Duration.minutes(5)
   */
  readonly publisherBehind?: Duration;
  /**
   * QueryErrors: queries in five minutes that were answered with 5xx.
   *
   * @default 3
   */
  readonly queriesFailed?: number;
}
