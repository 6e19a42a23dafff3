import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import { allowPutEvents } from './event-bus-access.ts';
import { type FunctionDefaults, LambdaFunction } from './lambda-function.ts';
import { afterDeployment, OperatorAlarm } from './operator-alarm.ts';
import { allowApiKey, allowOnSecret } from './secret-access.ts';

export interface SetupFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  readonly webhookSecret: ISecret;
  readonly webhookStateTable: Table;
  /** Told when somebody changed the webhook. */
  readonly eventBus: EventBus;
  readonly webhookUrl: string;
  readonly serviceBaseUrl: string;
  /** How long CloudFormation waits for an answer. */
  readonly registrationTimeout: Duration;
  readonly alarmTopic: ITopic | undefined;
}

/**
 * The function that registers, rotates and repairs the webhook; it may read the API key, read and write the webhook secret,
 * keep the webhook's state, and put events on the bus. Without registration it counts mismatches and captured requests and reports the
 * webhook's state, without the API key and the bus. A capture ends at its time, and no count ends it.
 */
export class SetupFunction extends LambdaFunction {
  readonly timeoutSeconds: number;

  constructor(scope: Construct, id: string, props: SetupFunctionProps) {
    const { settings, webhookSecret, webhookStateTable } = props;
    // Less than CloudFormation waits, so that a failure is answered and not timed out.
    const timeoutSeconds = props.registrationTimeout.toSeconds() - 30;
    super(scope, id, {
      ...props.defaults,
      name: 'setup',
      description:
        settings.registration === 'on'
          ? 'Registers, rotates, checks, repairs and deactivates the webhook at the SMS service.'
          : 'Tells how the webhook stands, and counts signatures that do not fit.',
      memoryMiB: 256,
      timeoutSeconds,
      environment: {
        WEBHOOK_SECRET_ID: webhookSecret.secretArn,
        WEBHOOK_STATE_TABLE_NAME: webhookStateTable.tableName,
        API_KEY_SECRET_ID: settings.apiKeySecretName,
        SMS_SERVICE_BASE_URL: props.serviceBaseUrl,
        WEBHOOK_URL: props.webhookUrl,
        SECRET_OVERLAP_HOURS: String(settings.secretOverlapHours),
        ROTATE_AFTER_DAYS: String(settings.rotateAfterDays),
        WEBHOOK_DRIFT: settings.webhookDrift,
        EVENT_BUS_NAME: props.eventBus.eventBusName,
        CAPTURE_UNTIL: settings.captureUntil ?? '',
        REGISTRATION: settings.registration,
      },
    });
    this.timeoutSeconds = timeoutSeconds;
    allowOnSecret(
      this.function,
      webhookSecret.secretArn,
      'GetSecretValue',
      'PutSecretValue',
      'UpdateSecretVersionStage',
    );
    if (settings.registration === 'on') {
      allowApiKey(this.function, settings.apiKeySecretName);
      allowPutEvents(this.function, props.eventBus);
    }
    webhookStateTable.grants.actions(
      this.function,
      'dynamodb:GetItem',
      'dynamodb:UpdateItem',
      'dynamodb:Query',
    );
    // Lambda would try a failed request again for hours, and register a webhook whose stack is gone by then.
    this.function.configureAsyncInvoke({ maxEventAge: props.registrationTimeout });
    this.acknowledgeFindings();
    this.addAlarms(settings, props.alarmTopic);
  }

  private acknowledgeFindings(): void {
    const reason =
      'Two callers are asynchronous: CloudFormation reports a request without an answer as a failed deployment, and a kept one would hold the pre-signed address of its answer; the schedule asks again five minutes later.';
    Validations.of(this.function).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }

  private addAlarms({ registration, webhookDrift }: Settings, topic: ITopic | undefined): void {
    if (registration === 'on') this.addRegistrationAlarms(webhookDrift === 'repair', topic);
    new OperatorAlarm(this, 'SetupErrors', {
      metric: this.function.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' }),
      threshold: 1,
      ...twoOfThree,
      runbook: "The service's API is down",
      cause:
        'More than once in a quarter of an hour the function "setup" crashed, timed out or could not start.',
      impact: registration === 'on' ? unwatched : uncounted,
      firstStep: `Read the error in the log group of "setup". ${afterDeployment}`,
      topic,
    });
  }

  /** Of what only a webhook tells that the pipeline registers itself. */
  private addRegistrationAlarms(isRepaired: boolean, topic: ITopic | undefined): void {
    new OperatorAlarm(this, 'WebhookDrifted', {
      metric: this.metricCounted('WebhookDrifted'),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'WebhookDrifted',
      cause:
        'Somebody changed the webhook at the SMS service, past this pipeline: its URL, its secret, or whether it is active.',
      impact: isRepaired
        ? 'It is put right by itself; events of the time before may have gone elsewhere or have been answered with 401.'
        : 'It is left as it is (sms:webhookDrift): until somebody acts, events go elsewhere, are answered with 401 or stay parked.',
      firstStep: isRepaired
        ? 'Read in the log group of "setup" what was changed (SETUP-11), and find out who did it. If this comes again and again, two pipelines share one account.'
        : 'Run "npm run -s sms -- webhook status" to see what was changed, and find out who did it; "npm run -s sms -- webhook register" takes the webhook back.',
      topic,
    });
    new OperatorAlarm(this, 'ReconcileFailed', {
      metric: this.metricCounted('ReconcileFailed'),
      threshold: 1,
      ...twoOfThree,
      runbook: "The service's API is down",
      cause:
        'More than once in a quarter of an hour the webhook could not be compared with the SMS service: its API is down, or it refuses the API key.',
      impact: unwatched,
      firstStep:
        'Run "npm run -s sms -- webhook status" and read SETUP-05 in the log group of "setup"; docs/runbook.md says what to do while the API is down.',
      topic,
    });
  }
}

/** The schedule's runs are as far apart as the periods are long, so one may slip over a border and leave a period empty. */
const twoOfThree = { evaluationPeriods: 3, datapointsToAlarm: 2 };

/** What it means that nobody reconciles. */
const unwatched =
  'Events still come in, but a change made elsewhere is not noticed, no scheduled rotation begins, and one that was left unfinished stays so: what is parked waits, and ends in the dead letter queue after a while.';

/** The same where there is nothing to reconcile. */
const uncounted =
  'Events still come in, but signatures that do not fit and captured requests are not counted.';
