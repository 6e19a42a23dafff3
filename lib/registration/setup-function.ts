import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { allowApiKey, allowOnSecret, allowOnTable, allowPutEvents } from '../building-blocks/grants.ts';
import {
  envNumber,
  type FunctionContext,
  LambdaFunction,
  onOrOff,
} from '../building-blocks/lambda-function.ts';
import { afterDeployment, sumOf } from '../building-blocks/operator-alarm.ts';
import { isRepaired, type PipelineOptions } from '../options/options.ts';
import { secretIdOf } from '../options/secret-ids.ts';

/** The time for which CloudFormation waits for the setup function's answer; its own default is an hour. */
export const registrationTimeout = Duration.seconds(120);

/** Less than CloudFormation waits, so that a failure is answered and does not time out. */
export const setupTimeoutSeconds = registrationTimeout.toSeconds() - 30;

export interface SetupFunctionProps extends FunctionContext {
  readonly webhookSecret: ISecret;
  readonly webhookStateTable: Table;
  /** Receives an event when the webhook was changed elsewhere. */
  readonly eventBus: IEventBus;
  readonly webhookUrl: string;
}

/**
 * The function that registers, rotates and repairs the webhook. It may read the API key, read and write the webhook secret,
 * keep the webhook's state, and put events on the bus.
 *
 * Without registration it counts mismatches and reports the webhook's state, without the API key and the bus.
 */
export class SetupFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: SetupFunctionProps) {
    const { options, webhookSecret, webhookStateTable, eventBus } = props;
    const { apiKey, registration, webhook } = options;
    super(scope, id, {
      ...props,
      name: 'setup',
      description: registration
        ? 'Registers, rotates, checks, repairs and deactivates the webhook at the SMS service.'
        : 'Reports the state of the webhook, and counts signature mismatches.',
      memoryMiB: 256,
      timeoutSeconds: setupTimeoutSeconds,
      environment: {
        WEBHOOK_SECRET_ID: webhookSecret.secretArn,
        WEBHOOK_STATE_TABLE_NAME: webhookStateTable.tableName,
        API_KEY_SECRET_ID: secretIdOf(apiKey),
        SMS_SERVICE_BASE_URL: options.serviceBaseUrl,
        WEBHOOK_URL: props.webhookUrl,
        SECRET_OVERLAP_HOURS: envNumber(webhook.secretOverlap.toHours()),
        ROTATE_AFTER_DAYS: envNumber(webhook.rotateAfter.toDays()),
        WEBHOOK_DRIFT: webhook.repairDrift ? 'repair' : 'report',
        EVENT_BUS_NAME: eventBus.eventBusName,
        PIPELINE_NAME: options.name,
        REGISTRATION: onOrOff(registration),
        SOURCE: options.source,
      },
    });
    allowOnSecret(
      this.function,
      webhookSecret.secretArn,
      'GetSecretValue',
      'PutSecretValue',
      'UpdateSecretVersionStage',
    );
    if (registration) {
      allowApiKey(this.function, apiKey);
      allowPutEvents(this.function, eventBus);
    }
    allowOnTable(this.function, webhookStateTable, 'GetItem', 'UpdateItem', 'Query');
    // Lambda would retry a failed request for hours, and register a webhook whose stack is deleted by then.
    this.function.configureAsyncInvoke({ maxEventAge: registrationTimeout });
    this.acknowledgeFindings();
    this.addAlarms(options);
  }

  private acknowledgeFindings(): void {
    const reason =
      'Two callers are asynchronous: CloudFormation reports a request without an answer as a failed deployment, and a kept one would hold the pre-signed address of its answer; the schedule invokes again five minutes later.';
    Validations.of(this.function).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }

  private addAlarms(options: PipelineOptions): void {
    const { registration } = options;
    if (registration) this.addDriftAlarm(isRepaired(options));
    const period = Duration.minutes(5);
    const errors = this.function.metricErrors({ period });
    this.addAlarm('SetupErrors', {
      metric: registration
        ? sumOf({ errors, reconcileFailed: this.metricCounted('ReconcileFailed') }, period)
        : errors,
      ...twoOfThree,
      severity: registration ? 'page' : 'ticket',
      runbook: "The service's API is down",
      cause: `More than once in a quarter of an hour ${
        registration
          ? 'the webhook could not be compared with the SMS service: its API is down or rejects the API key (ReconcileFailed), or the function "setup"'
          : 'the function "setup"'
      } crashed, timed out or could not start (Errors).`,
      impact: registration ? notReconciled : notCounted,
      firstStep: `${registration ? 'Run "sms webhook status" and read SETUP-05 in the log group of "setup". No SETUP-05: read' : 'Read'} the error ${registration ? 'there' : 'in the log group of "setup"'}. ${afterDeployment}`,
    });
  }

  private addDriftAlarm(isRepairedByItself: boolean): void {
    this.addAlarm('WebhookDrifted', {
      metric: this.metricCounted('WebhookDrifted'),
      severity: isRepairedByItself ? 'ticket' : 'page',
      runbook: 'WebhookDrifted',
      cause:
        'The webhook was changed at the SMS service outside of this pipeline: its URL, its secret, or whether it is active.',
      impact: isRepairedByItself
        ? 'The pipeline repairs it; events before the repair may have gone elsewhere or have been answered with 401.'
        : 'The pipeline leaves it as it is (webhook.repairDrift, setting sms:webhookDrift): until an operator acts, events go elsewhere, are answered with 401 or stay parked.',
      firstStep: isRepairedByItself
        ? 'Read the change in the log group of "setup" (SETUP-11), and find out who made it. If this happens again and again, two pipelines share one account.'
        : 'Run "sms webhook status" to see the change, and find out who made it; "sms webhook register" takes the webhook back.',
    });
  }
}

/** The schedule's interval equals the period, so a run may slip over a border and leave a period empty. */
const twoOfThree = { evaluationPeriods: 3, datapointsToAlarm: 2 };

/** The impact of missing reconcile runs. */
const notReconciled =
  'Events are still received, but a change made elsewhere is not noticed, no scheduled rotation begins, and an unfinished one stays so: parked requests wait, and end in the dead-letter queue after a while.';

/** The impact if there is nothing to reconcile. */
const notCounted = 'Events are still received, but signature mismatches are not counted.';
