import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

export interface OperatorAlarmProps {
  readonly metric: IMetric;
  /** The alarm goes off at this value and above. */
  readonly threshold: number;
  /** How many periods of the metric are looked at. */
  readonly evaluationPeriods: number;
  /** In how many of them the threshold must be reached; in all, if not given. */
  readonly datapointsToAlarm?: number;
  /** How the heading of its page in docs/runbook.md begins. */
  readonly runbook: string;
  /** What most likely happened. */
  readonly cause: string;
  /** What it means for the users of the pipeline. */
  readonly impact: string;
  /** The first thing to do about it. */
  readonly firstStep: string;
  /** Told when the alarm goes off and, unless `isOverUnseen`, when it is over. */
  readonly topic: ITopic | undefined;
  /** The metric has no data while nothing is tried: that none comes is no sign that it is over, and nobody is told so. */
  readonly isOverUnseen?: boolean;
}

/** What an alarm says. */
export type AlarmTexts = Pick<OperatorAlarmProps, 'runbook' | 'cause' | 'impact' | 'firstStep'>;

/** What to do about errors that a deployment brought. One deployment sets all functions back, the worker too. */
export const afterDeployment =
  'If it began with a deployment, mend it and deploy again: a version that does not know parked requests puts them into quarantine, so go back to one only if the events queue and its dead letter queue are empty.';

/** An alarm whose text is of use at three in the morning: cause, impact, what to do first, and where to read on. */
export class OperatorAlarm extends Construct {
  /** How the heading of its page in the runbook begins. */
  readonly page: string;

  constructor(scope: Construct, id: string, props: OperatorAlarmProps) {
    super(scope, id);
    this.page = props.runbook;
    const alarm = new Alarm(this, 'Alarm', {
      metric: props.metric,
      threshold: props.threshold,
      evaluationPeriods: props.evaluationPeriods,
      datapointsToAlarm: props.datapointsToAlarm ?? props.evaluationPeriods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `CAUSE: ${props.cause} IMPACT: ${props.impact} FIRST: ${props.firstStep} RUNBOOK: docs/runbook.md, "${props.runbook}".`,
    });
    if (props.topic === undefined) return;
    const notify = new SnsAction(props.topic);
    alarm.addAlarmAction(notify);
    if (props.isOverUnseen !== true) alarm.addOkAction(notify);
  }
}
