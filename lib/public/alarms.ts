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
   * Changes single alarms, by the names of docs/operate/alarms.md: `{ RequestsRejected: { threshold: 50 } }`. With several sources it changes
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
   * The number of the metric's periods that the alarm looks at.
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
