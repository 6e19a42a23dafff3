import { type Duration, Token } from 'aws-cdk-lib';
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
import type { Incident } from '../options/alarm-names.ts';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';
import { PipelinePropsError } from '../options/pipeline-props-error.ts';
import { type AlarmTexts, alarmDescription } from './alarm-description.ts';
import { sourceAround } from './source-scope.ts';

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
  /** The automation that the alarm is about, if alarms of other queues have the same id. Its name begins with it. */
  readonly automation?: string | undefined;
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

/**
 * Returns how many periods of a metric an alarm may evaluate: seven days of them, or one day of periods shorter than an hour ("PutMetricAlarm",
 * CloudWatch API reference, `Period`).
 */
function maxEvaluationPeriods(periodSeconds: number): number {
  const hour = 3600;
  return Math.floor((periodSeconds < hour ? 24 * hour : 7 * 24 * hour) / periodSeconds);
}

/** @throws PipelinePropsError naming every override below a scope with which CloudWatch would refuse the alarm */
export function refuseLongAlarms(scope: Construct): void {
  const problems = scope.node
    .findAll()
    .flatMap((node) => (node instanceof OperatorAlarm ? (node.problem ?? []) : []));
  if (problems.length > 0) throw new PipelinePropsError(scope.node.path, [...new Set(problems)]);
}

/** An alarm whose description says what it means and what to do first. */
export class OperatorAlarm extends Construct {
  /** The name by which an override finds it: alarm-names.ts. */
  readonly name: string;
  /** The heading of its page in the runbook. */
  readonly page: string;
  readonly severity: NonNullable<OperatorAlarmProps['severity']>;
  /** Whether a return to OK means that the problem is over. */
  readonly reportsEnd: boolean;
  /** Undefined if the alarm is not made. */
  readonly alarm: Alarm | undefined;
  /** Whether the alarm notifies another topic than those of tickets and of pages. */
  readonly hasOwnTopic: boolean;
  /** What is wrong with the override; undefined if nothing is. */
  readonly problem: string | undefined;

  constructor(scope: Construct, id: string, props: OperatorAlarmProps) {
    super(scope, id);
    const { alarms, severity = 'ticket', threshold = 1, evaluationPeriods = 1, automation = '' } = props;
    this.name = `${automation}${id}`;
    this.page = props.runbook;
    this.severity = severity;
    this.reportsEnd = props.suppressOkAction !== true;
    const override = alarms === false ? undefined : alarms.overrides[this.name];
    this.hasOwnTopic = override?.topic !== undefined;
    if (alarms === false || override?.enabled === false) return;
    this.problem = problemWithPeriods(this.name, props.metric, override?.evaluationPeriods);
    const isIncident = severity !== 'ticket' && severity !== 'page';
    const isPaged = alarms.overrides[severity]?.enabled !== false;
    this.alarm = new Alarm(this, 'Alarm', {
      metric: props.metric,
      threshold: override?.threshold ?? threshold,
      ...(override?.evaluationPeriods === undefined
        ? { evaluationPeriods, datapointsToAlarm: props.datapointsToAlarm ?? evaluationPeriods }
        : {
            evaluationPeriods: override.evaluationPeriods,
            datapointsToAlarm: override.datapointsToAlarm ?? override.evaluationPeriods,
          }),
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: alarmDescription({
        ...props,
        source: sourceAround(this),
        severity: isIncident ? (isPaged ? `ticket (${severity} pages)` : 'ticket') : severity,
        runbookUrl: alarms.runbookUrl,
      }),
    });
    const topic = override?.topic ?? (severity === 'page' ? alarms.page : alarms.topic);
    if (topic === undefined) return;
    const notify = new SnsAction(topic);
    this.alarm.addAlarmAction(notify);
    if (this.reportsEnd) this.alarm.addOkAction(notify);
  }
}

function problemWithPeriods(name: string, metric: IMetric, periods: number | undefined): string | undefined {
  const { metricStat, mathExpression } = metric.toMetricConfig();
  const periodSeconds = metricStat?.period.toSeconds() ?? mathExpression?.period;
  if (periods === undefined || periodSeconds === undefined || Token.isUnresolved(periods)) return undefined;
  const max = maxEvaluationPeriods(periodSeconds);
  return periods > max
    ? `alarms.overrides.${name}.evaluationPeriods: found ${periods}, expected at most ${max}: the alarm has periods of ${textOf(periodSeconds)}, and CloudWatch evaluates at most ${periodSeconds < 3600 ? 'a day of periods shorter than an hour' : 'seven days'}`
    : undefined;
}

function textOf(seconds: number): string {
  if (seconds % 3600 !== 0) return `${seconds / 60} minutes`;
  return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`;
}
