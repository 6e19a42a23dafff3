import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

export interface OperatorAlarmProps {
  readonly metric: IMetric;
  /** The alarm goes off at this value and above. */
  readonly threshold: number;
  /** For how many periods of the metric in a row. */
  readonly evaluationPeriods: number;
  /** What most likely happened. */
  readonly cause: string;
  /** What it means for the users of the pipeline. */
  readonly impact: string;
  /** The first thing to do about it. */
  readonly firstStep: string;
  /** Told when the alarm goes off and when it is over. */
  readonly topic: ITopic | undefined;
}

/** An alarm whose text is of use at three in the morning: cause, impact, what to do first. */
export class OperatorAlarm extends Construct {
  constructor(scope: Construct, id: string, props: OperatorAlarmProps) {
    super(scope, id);
    const alarm = new Alarm(this, 'Alarm', {
      metric: props.metric,
      threshold: props.threshold,
      evaluationPeriods: props.evaluationPeriods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `CAUSE: ${props.cause} IMPACT: ${props.impact} FIRST: ${props.firstStep}`,
    });
    if (props.topic === undefined) return;
    const notify = new SnsAction(props.topic);
    alarm.addAlarmAction(notify);
    alarm.addOkAction(notify);
  }
}
