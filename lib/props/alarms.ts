import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** Whom the alarms notify, and when they go off. */
export interface AlarmsProps {
  /**
   * The pipeline makes alarms. False is for development stacks.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * This topic is notified of tickets and of their end. Tickets have time until the morning.
   *
   * @default - no one, with a warning at synth
   * @see docs/start/deploy.md#the-alarm-topic
   */
  readonly topic?: ITopic;
  /**
   * This topic is notified of pages and of their end. A page means that events are being lost or delayed, or that the webhook cannot be checked.
   *
   * @default - the topic of tickets
   * @see docs/operate/alarms.md
   */
  readonly page?: ITopic;
  /**
   * Your operators read docs/operate/alarms.md at this address, and descriptions of alarms link there. For example
   * `https://example.com/sms/alarms.md`, at most 200 characters.
   *
   * @default - descriptions name the page, without a link
   */
  readonly runbookUrl?: string;
  /**
   * Single alarms are changed, by the names of docs/operate/alarms.md: `{ RequestsRejected: { threshold: 50 } }`. With several sources it changes
   * the alarm of each.
   *
   * @default - every alarm is as docs/reference/props.md lists it
   * @see docs/reference/props.md#single-alarms
   */
  readonly overrides?: { [alarm: string]: AlarmOverrides };
}

/** What is different about one alarm. */
export interface AlarmOverrides {
  /**
   * Makes the alarm. A member of a composite alarm that is not made does not set the composite alarm off.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * The alarm goes off at this value, and above. docs/reference/props.md lists what each alarm counts, and in which unit.
   *
   * @default - the alarm's own
   */
  readonly threshold?: number;
  /**
   * The number of the metric's periods that the alarm looks at, at most 100.
   *
   * @default - the alarm's own
   */
  readonly evaluationPeriods?: number;
  /**
   * The number of these periods that must reach the threshold. It needs `evaluationPeriods`.
   *
   * @default - all of `evaluationPeriods`, or the alarm's own without them
   */
  readonly datapointsToAlarm?: number;
  /**
   * Notified of the alarm and of its end.
   *
   * @default - the topic of tickets, or that of pages
   */
  readonly topic?: ITopic;
}
