import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { PipelineOptions } from '../props/options.ts';

/** The sentences of an alarm's description. */
export interface AlarmTexts {
  /** The beginning of the heading of its page in docs/runbook.md. */
  readonly runbook: string;
  /** The most likely cause. */
  readonly cause: string;
  /** The consequence for the users of the pipeline. */
  readonly impact: string;
  /** The first thing to do about it. */
  readonly firstStep: string;
}

export interface OperatorAlarmProps extends AlarmTexts {
  readonly metric: IMetric;
  /** The alarm goes off at this value and above; 1 by default. */
  readonly threshold?: number;
  /** The number of periods of the metric that the alarm evaluates; 1 by default. */
  readonly evaluationPeriods?: number;
  /** The number of these periods that must reach the threshold; all of them by default. */
  readonly datapointsToAlarm?: number;
  /** Its topic receives the alarm and, unless `suppressOkAction`, its end. False makes no alarm. */
  readonly alarms: PipelineOptions['alarms'];
  /** Set it where the metric has no data between attempts: then missing data does not mean that the problem is over. */
  readonly suppressOkAction?: boolean;
}

/** Advice for errors that a deployment brought. One deployment rolls back all functions, the worker too. */
export const afterDeployment =
  'If it began with a deployment, fix it and deploy again: a version that does not know parked requests puts them into quarantine, so roll back only if the events queue and its dead-letter queue are empty.';

/** An alarm whose description helps at three in the morning: cause, impact, first step, and the page of the runbook. */
export class OperatorAlarm extends Construct {
  /** The beginning of the heading of its page in the runbook. */
  readonly page: string;

  constructor(scope: Construct, id: string, props: OperatorAlarmProps) {
    super(scope, id);
    this.page = props.runbook;
    const { alarms, threshold = 1, evaluationPeriods = 1 } = props;
    if (alarms === false) return;
    const alarm = new Alarm(this, 'Alarm', {
      metric: props.metric,
      threshold,
      evaluationPeriods,
      datapointsToAlarm: props.datapointsToAlarm ?? evaluationPeriods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `CAUSE: ${props.cause} IMPACT: ${props.impact} FIRST: ${props.firstStep} RUNBOOK: docs/runbook.md, "${props.runbook}".`,
    });
    if (alarms === undefined) return;
    const notify = new SnsAction(alarms.topic);
    alarm.addAlarmAction(notify);
    if (props.suppressOkAction !== true) alarm.addOkAction(notify);
  }
}
