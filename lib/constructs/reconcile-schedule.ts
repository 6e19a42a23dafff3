import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Has the setup function compare the webhook with what is wanted, every five minutes. */
export class ReconcileSchedule extends Rule {
  constructor(scope: Construct, id: string, setup: CdkFunction) {
    super(scope, id, {
      description: 'Reconciles the webhook with the SMS service.',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [
        new LambdaTarget(setup, {
          event: RuleTargetInput.fromObject({ action: 'reconcile' }),
          // A run that cannot begin is left to the next one, so that runs never gather.
          maxEventAge: Duration.minutes(1),
        }),
      ],
    });
    Validations.of(this).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason:
        'A run that could not begin has nothing to keep: the next one, five minutes later, does all that it would have done.',
    });
  }
}
