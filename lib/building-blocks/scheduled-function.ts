import { Duration, Validations } from 'aws-cdk-lib';
import type { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { AlarmTexts } from './alarm-description.ts';
import { LambdaFunction, type LambdaFunctionProps } from './lambda-function.ts';

export interface ScheduledFunctionProps extends LambdaFunctionProps {
  /** Five minutes or more. */
  readonly every: Duration;
}

/** A run that cannot begin within this time is dropped, so that runs never pile up. */
const maxWaitMinutes = 30;

/** A function that runs at a rate. Each run also does what earlier runs left undone, so no run is ever retried. */
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
      'A run that failed or could not begin has nothing to keep: the next one does all of its work, and an alarm goes off if they keep failing.';
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
    Validations.of(this.function).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }

  /**
   * Adds an alarm for two of three periods between runs: one period may see no run, or two.
   *
   * @param metric a sum
   */
  alarmWhenRepeated(id: string, metric: Metric | MathExpression, texts: AlarmTexts): void {
    this.addAlarm(id, {
      metric: metric.with({ period: this.every }),
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      ...texts,
    });
  }
}
