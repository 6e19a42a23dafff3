import type { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AlarmRecipients } from '../props/alarm-recipients.ts';
import { type AlarmTexts, alarmDescription } from './alarm-description.ts';
import { sourceAround } from './source-scope.ts';

/**
 * The composite alarms. Each pages once for all its members, and for none while another one is on: a member ends by itself when its cause
 * does, and no sender of requests can set it off.
 */
export type Incident = 'EventsNotStored' | 'EventsNotPublished';

export interface OperatorAlarmProps extends AlarmTexts {
  readonly metric: IMetric;
  /** The alarm goes off at this value and above; 1 by default. */
  readonly threshold?: number;
  /** The number of periods of the metric that the alarm evaluates; 1 by default. */
  readonly evaluationPeriods?: number;
  /** The number of these periods that must reach the threshold; all of them by default. */
  readonly datapointsToAlarm?: number;
  /**
   * The topic that is notified: of tickets or of pages. The name of an incident makes it a ticket that belongs to the incident, whose
   * composite alarm pages. A ticket by default.
   */
  readonly severity?: 'ticket' | 'page' | Incident;
  /** The log group of the function that the alarm is about. */
  readonly logGroup?: LogGroup;
  /** Their topic receives the alarm and, unless `suppressOkAction`, its end. False makes no alarm. */
  readonly alarms: AlarmRecipients | false;
  /** Set it if the metric has no data between attempts: then missing data does not mean that the problem is over. */
  readonly suppressOkAction?: boolean;
}

/**
 * Adds up the metrics of an alarm with several causes. Metric math counts a missing value as 0, and has no value if all are missing
 * ("Basic arithmetic functions", CloudWatch user guide). `FILL` would do the same, and hide the newest minute of a metric that comes late.
 *
 * @param metrics by a name that begins with a lower-case letter
 * @param period of all metrics
 */
export function sumOf(metrics: Readonly<Record<string, Metric>>, period: Duration): MathExpression {
  return new MathExpression({
    expression: Object.keys(metrics).join(' + '),
    usingMetrics: { ...metrics },
    period,
  });
}

/** Advice for errors that a deployment brought: a version that does not know parked requests puts them into quarantine. */
export const afterDeployment =
  'If it began with a deployment, fix it and deploy again; the runbook says when you may roll back instead.';

/** An alarm whose description says what it means and what to do first. */
export class OperatorAlarm extends Construct {
  /** The heading of its page in the runbook. */
  readonly page: string;
  readonly severity: NonNullable<OperatorAlarmProps['severity']>;
  /** Whether a return to OK means that the problem is over. */
  readonly reportsEnd: boolean;
  /** Undefined if no alarms are made. */
  readonly alarm: Alarm | undefined;

  constructor(scope: Construct, id: string, props: OperatorAlarmProps) {
    super(scope, id);
    const { alarms, severity = 'ticket', threshold = 1, evaluationPeriods = 1 } = props;
    this.page = props.runbook;
    this.severity = severity;
    this.reportsEnd = props.suppressOkAction !== true;
    if (alarms === false) return;
    const isMember = severity !== 'ticket' && severity !== 'page';
    this.alarm = new Alarm(this, 'Alarm', {
      metric: props.metric,
      threshold,
      evaluationPeriods,
      datapointsToAlarm: props.datapointsToAlarm ?? evaluationPeriods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: alarmDescription({
        ...props,
        source: sourceAround(this),
        severity: isMember ? `ticket (${severity} pages)` : severity,
        runbookUrl: alarms.runbookUrl,
      }),
    });
    const topic = severity === 'page' ? alarms.page : alarms.topic;
    if (topic === undefined) return;
    const notify = new SnsAction(topic);
    this.alarm.addAlarmAction(notify);
    if (this.reportsEnd) this.alarm.addOkAction(notify);
  }
}
