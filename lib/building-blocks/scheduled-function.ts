import { Duration, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { LambdaFunction, type LambdaFunctionProps } from './lambda-function.ts';
import { type AlarmTexts, OperatorAlarm, type OperatorAlarmProps } from './operator-alarm.ts';

export interface ScheduledFunctionProps extends LambdaFunctionProps {
  /** Five minutes or more. */
  readonly every: Duration;
}

/** A run that cannot begin for so long, in minutes, is left to the next one, so that runs never gather. */
const maxWaitMinutes = 30;

/** A function that runs at a rate. Each run does what those before it left undone, so that none is ever tried again. */
export class ScheduledFunction extends LambdaFunction {
  private readonly every: Duration;

  constructor(scope: Construct, id: string, { every, ...props }: ScheduledFunctionProps) {
    super(scope, id, props);
    this.every = every;
    const maxEventAge = Duration.minutes(Math.min(maxWaitMinutes, every.toMinutes()));
    this.function.configureAsyncInvoke({ maxEventAge, retryAttempts: 0 });
    const rule = new Rule(this, 'Schedule', {
      description: props.description,
      schedule: Schedule.rate(every),
      targets: [new LambdaTarget(this.function, { maxEventAge })],
    });
    const reason =
      'A run that failed or could not begin has nothing to keep: the next one does all that it would have done, and an alarm tells if they keep failing.';
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
    Validations.of(this.function).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }

  /** Goes off when something was counted in two of three periods between runs: one of them may see none, or two. */
  protected alarmWhenRepeated(
    id: string,
    metric: Metric,
    texts: AlarmTexts & Pick<OperatorAlarmProps, 'topic'>,
  ): void {
    new OperatorAlarm(this, id, {
      metric: metric.with({ period: this.every, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      ...texts,
    });
  }
}
