import { Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { PipelineApi } from '../api/pipeline-api.ts';
import { allowOnSecret } from '../building-blocks/grants.ts';
import { type FunctionDefaults, LambdaFunction } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { queriesPath } from '../query/query-function.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Where the SMS service sends its events, below the HTTP API's URL. */
export const webhookPath = '/webhooks/sms';

export interface IngestFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly api: PipelineApi;
  readonly eventsQueue: Queue;
  readonly signalsQueue: Queue;
  readonly webhookSecret: ISecret;
  readonly webhookUrl: string;
  readonly settings: Settings;
  readonly alarmTopic: ITopic | undefined;
}

/** The function behind the webhook; it may read the webhook secret and send to the two queues. */
export class IngestFunction extends LambdaFunction {
  /** Requests that never reached it; undefined where no access log tells. */
  readonly requestsThrottled: Metric | undefined;

  constructor(scope: Construct, id: string, props: IngestFunctionProps) {
    super(scope, id, {
      ...props.defaults,
      name: 'ingest',
      description: 'Verifies webhook requests and puts them into the events queue.',
      memoryMiB: 512,
      // Room for every call it makes to fail slowly and be tried again, so that it still answers 503 itself.
      timeoutSeconds: 20,
      reservedConcurrency: props.settings.ingestReservedConcurrency,
      environment: {
        EVENTS_QUEUE_URL: props.eventsQueue.queueUrl,
        SIGNALS_QUEUE_URL: props.signalsQueue.queueUrl,
        WEBHOOK_SECRET_ID: props.webhookSecret.secretArn,
        WEBHOOK_URL: props.webhookUrl,
        PARK_UNVERIFIED: props.settings.parkUnverified,
        ALLOWED_SOURCE_IPS: props.settings.allowedSourceIps.join(','),
        CAPTURE_UNTIL: props.settings.captureUntil ?? '',
      },
    });
    props.eventsQueue.grant(this.function, 'sqs:SendMessage');
    props.signalsQueue.grant(this.function, 'sqs:SendMessage');
    allowOnSecret(this.function, props.webhookSecret.secretArn, 'GetSecretValue');
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by API Gateway only, which is synchronous: a request that fails is answered with 5xx and raises an alarm.',
    });
    Validations.of(props.api.addRoute(webhookPath, this.function)).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The SMS service cannot sign with IAM or send a token of ours: the function behind the route verifies its signature over every request.',
    });
    const hasAccessLog = props.settings.accessLog === 'on';
    new OperatorAlarm(this, 'ServerErrors', {
      metric: props.api.serverErrorsOf(webhookPath),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'ServerErrors',
      cause: `The webhook${hasAccessLog ? '' : ' or a question (without sms:accessLog nothing tells them apart)'} was answered with 5xx: SQS or Secrets Manager failed or was slow, or the function "ingest" crashed or was throttled.`,
      impact: 'An event was not accepted, and is lost unless the SMS service sends it again.',
      firstStep:
        'Read the log group of "ingest", check the AWS Health Dashboard for SQS, Secrets Manager and Lambda, then compare the service\'s own reports for these minutes with the history.',
      topic: props.alarmTopic,
    });
    this.requestsThrottled = props.api.throttledExceptTo(queriesPath);
    if (this.requestsThrottled !== undefined)
      new OperatorAlarm(this, 'RequestsThrottled', {
        metric: this.requestsThrottled,
        threshold: 1,
        evaluationPeriods: 1,
        runbook: 'RequestsThrottled',
        cause:
          'More requests came than the HTTP API lets in (sms:throttleRatePerSecond, sms:throttleBurst) or the account has left: a large send, somebody who floods it, or the webhook is closed by hand.',
        impact:
          'They were answered with 429 and not stored, possibly more of them than are counted: events are lost unless the SMS service sends them again.',
        firstStep:
          "See in the access log of the API whose requests they are as docs/runbook.md says; if they are genuine, raise the two settings, and the quota of the account where that is too low, and deploy. Then compare the service's own reports for these minutes with the history.",
        topic: props.alarmTopic,
      });
    new OperatorAlarm(this, 'RequestsRejected', {
      metric: this.metricCounted('RequestsRejected'),
      threshold: 10,
      evaluationPeriods: 1,
      runbook: 'RequestsRejected',
      cause:
        'Requests came that could not be verified: somebody forges events, the secret was rotated elsewhere, or the contract says the signature wrongly.',
      impact: `They were answered with 401 and not stored; if they were genuine, delivery reports are missing. ${newSecretOf(props.settings)}`,
      firstStep:
        'Run "npm run -s sms -- webhook status" and go on as docs/runbook.md says; the metrics RejectedSignatureMismatch, RejectedSignatureMissing and RejectedTimestamp have the reasons. For any but the first switch "contract capture" on: it keeps what is refused, and shows what the contract says wrongly.',
      topic: props.alarmTopic,
    });
    // Without ranges nothing is counted.
    if (props.settings.allowedSourceIps.length === 0) return;
    new OperatorAlarm(this, 'RejectedSource', {
      metric: this.metricCounted('RejectedSource'),
      threshold: 10,
      evaluationPeriods: 1,
      runbook: 'RejectedSource',
      cause:
        'Requests came from addresses outside of sms:allowedSourceIps: the SMS service sends from new ones, or somebody else calls the webhook.',
      impact:
        'They were answered with 403 and not stored; if they were genuine, delivery reports, replies and opt-outs are lost unless the SMS service sends them again.',
      firstStep: `${hasAccessLog ? '' : 'Switch on sms:accessLog and deploy. '}Read the addresses in the access log of the API as docs/runbook.md says and ask the SMS service whether they are its own; if so, add them to sms:allowedSourceIps and deploy.`,
      topic: props.alarmTopic,
    });
  }
}

/** What becomes of a secret that was rotated elsewhere. */
function newSecretOf({ registration, webhookDrift }: Settings): string {
  if (registration === 'off')
    return 'A new secret of the SMS service is not stored by itself (sms:registration): until somebody runs "webhook store-secret", events are refused.';
  return webhookDrift === 'repair'
    ? 'A secret that was rotated elsewhere is found and stored by the pipeline itself.'
    : 'A secret that was rotated elsewhere is not stored (sms:webhookDrift): until somebody acts, events are refused.';
}
