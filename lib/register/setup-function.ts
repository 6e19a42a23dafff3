import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { allowApiKey, allowOnSecret, allowPutEvents } from '../building-blocks/grants.ts';
import { type FunctionDefaults, LambdaFunction } from '../building-blocks/lambda-function.ts';
import { afterDeployment, OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { addQueueSource } from '../building-blocks/queues.ts';
import { visibilityTimeoutSeconds } from '../settings/queue-timing.ts';
import type { Settings } from '../settings/read-settings.ts';

/** How long CloudFormation waits for the setup function's answer; its own default is an hour. */
export const registrationTimeout = Duration.seconds(120);

export interface MismatchSignalsProps {
  readonly reader: CdkFunction;
  /** The timeout of `reader`. */
  readonly readerTimeoutSeconds: number;
}

/** None: while a secret that was rotated elsewhere is not known, every second costs events. */
const batchWindowSeconds = 0;

/**
 * The queue in which ingest tells setup about signatures that fit no secret. A signal is tried once: a failed one stays
 * hidden for longer than it is kept, because asking the service for it minutes later is what the schedule does anyway.
 */
export class MismatchSignals extends Queue {
  constructor(scope: Construct, id: string, { reader, readerTimeoutSeconds }: MismatchSignalsProps) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.minutes(5),
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds(readerTimeoutSeconds, batchWindowSeconds)),
    });
    addQueueSource(reader, this, {
      batchSize: 10,
      maxBatchingWindow: Duration.seconds(batchWindowSeconds),
      // Lambda's least. Two runs at once do no harm: the rotation protocol is made for it.
      maxConcurrency: 2,
    });
    const reason =
      'A signal is worthless after minutes: reconcile runs on a schedule too and looks at the service itself, whatever became of the signals.';
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-SQS3', reason },
      { id: 'Serverless-SQSRedrivePolicy', reason },
    );
    Validations.of(reader).acknowledge({ id: 'Serverless-LambdaEventSourceMappingDestination', reason });
  }
}

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
