import { Duration, Validations } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { mainSource } from '../../contract/events/source-id.ts';
import { requestForms } from '../../contract/schema/request-form.ts';
import type { PipelineApi } from '../api/pipeline-api.ts';
import { allowOnSecret } from '../building-blocks/grants.ts';
import { envList, type FunctionContext, LambdaFunction } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import type { PipelineOptions } from '../options/options.ts';
import { queriesPath } from '../query/query-function.ts';

/** The SMS service sends its events to this path below the HTTP API's URL. */
export const webhookPathOf = (source: string): string =>
  source === mainSource ? '/webhooks/sms' : `/webhooks/sms/${source}`;

/** The paths of the webhook. One below it is there only if the contract reads it. */
function webhookRoutesOf({ source, functionSources }: PipelineOptions): readonly string[] {
  const path = webhookPathOf(source);
  const isRead = functionSources.contract.webhook.reads?.path !== undefined;
  return isRead ? [path, `${path}/{proxy+}`] : [path];
}

export interface IngestFunctionProps extends FunctionContext {
  readonly api: PipelineApi;
  readonly eventsQueue: Queue;
  readonly signalsQueue: Queue;
  readonly webhookSecret: ISecret;
  readonly webhookUrl: string;
  /** Counts parked requests that the worker refused. */
  readonly parkedRefused: Metric;
  /** Counts requests that the worker got, and that were verified. */
  readonly accepted: Metric;
}

/** The function behind the webhook. It may read the webhook secret and send to the two queues. */
export class IngestFunction extends LambdaFunction {
  /** Counts requests that were throttled before the function; undefined without an access log, which is the source. */
  readonly requestsThrottled: Metric | undefined;

  constructor(scope: Construct, id: string, props: IngestFunctionProps) {
    const { options, api, eventsQueue, signalsQueue, webhookSecret } = props;
    super(scope, id, {
      ...props,
      name: 'ingest',
      description: 'Verifies webhook requests and puts them into the events queue.',
      memoryMiB: 512,
      // Leaves time for every call to fail slowly and be retried, so that the function still answers 503 itself.
      timeoutSeconds: 20,
      environment: {
        EVENTS_QUEUE_URL: eventsQueue.queueUrl,
        SIGNALS_QUEUE_URL: signalsQueue.queueUrl,
        WEBHOOK_SECRET_ID: webhookSecret.secretArn,
        WEBHOOK_URL: props.webhookUrl,
        PARK_UNVERIFIED: options.webhook.alwaysParkUnverified ? 'always' : 'rotating',
        ALLOWED_SOURCE_IPS: envList(options.webhook.allowedSources),
        CAPTURE_UNTIL: options.webhook.captureUntil ?? '',
      },
    });
    const schemes = requestForms(options.functionSources.contract.webhook).map(
      (form) => form.signature.scheme,
    );
    // The contract is in the code, which `npm run deploy` cannot compare: it asks before a signature is verified no longer.
    const { defaultChild } = this.function.node;
    if (!(defaultChild instanceof CfnFunction))
      throw new Error('the CDK made the function in an unexpected way');
    defaultChild.addMetadata('SignatureSchemes', [...new Set(schemes)].join(','));
    eventsQueue.grant(this.function, 'sqs:SendMessage');
    signalsQueue.grant(this.function, 'sqs:SendMessage');
    allowOnSecret(this.function, webhookSecret.secretArn, 'GetSecretValue');
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by API Gateway only, which is synchronous: a request that fails is answered with 5xx and raises an alarm.',
    });
    for (const path of webhookRoutesOf(options))
      Validations.of(api.addRoute(path, this.function)).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          'The SMS service can neither sign with IAM nor send a token of ours: the function behind the route verifies its signature over every request.',
      });
    // The throttle is the API's, and the alarm of `main` counts the requests of all sources.
    this.requestsThrottled = options.source === mainSource ? api.throttledExceptTo(queriesPath) : undefined;
    this.addAlarms(options, props);
  }

  private addAlarms(options: PipelineOptions, props: IngestFunctionProps): void {
    const { source, logs, webhook, registration, functionSources } = options;
    const { api, parkedRefused, accepted } = props;
    const rejected = this.metricCounted('RequestsRejected');
    const withoutSource = { rejected, parkedRefused };
    const allRejected =
      webhook.allowedSources.length === 0
        ? withoutSource
        : { ...withoutSource, rejectedSource: this.metricCounted('RejectedSource') };
    const rejections = Object.keys(allRejected).join(' + ');
    // With `registration` in the contract an operator stores the secret.
    const findsSecret = registration && functionSources.contract.registration === null;
    const serverErrors = api.serverErrorsOf(webhookRoutesOf(options), source);
    const throttled = this.requestsThrottled;
    this.addAlarm('RequestsNotAccepted', {
      metric:
        throttled === undefined ? serverErrors : sumOf({ serverErrors, throttled }, Duration.minutes(1)),
      severity: 'page',
      runbook: 'RequestsNotAccepted',
      cause: logs.access
        ? 'The webhook answered 5xx (WebhookServerErrors: SQS or Secrets Manager failed or was slow, or "ingest" crashed or was throttled) or 429 (RequestsThrottled: more requests than webhook.ratePerSecond and webhook.burst allow, setting sms:throttleRatePerSecond and sms:throttleBurst, or than the account allows).'
        : 'The webhook or a query (only the access log distinguishes them: logs.access, setting sms:accessLog) was answered with 5xx: SQS or Secrets Manager failed or was slow, or "ingest" crashed or was throttled.',
      impact: 'Events were not accepted, and are lost unless the SMS service sends them again.',
      firstStep:
        'Look at both metrics on the dashboard. 5xx: read the log group of "ingest", check the AWS Health Dashboard. 429: find the senders in the access log of the API. Then compare the service\'s own reports for these minutes with the history.',
    });
    if (source === mainSource) this.addApiAlarms(api);
    this.addAlarm('RequestsRejected', {
      metric: sumOf(withoutSource, Duration.minutes(5)),
      threshold: rejectedRequests,
      severity: 'ticket',
      runbook: 'RequestsRejected',
      cause:
        'Requests could not be verified: they are forged, the secret was rotated elsewhere, or the contract describes the signature wrongly. Or they were too large, or of another HTTP method.',
      impact: `Those answered with 401, 405 or 413 (RequestsRejected) were not stored; parked ones (ParkedRefused) are in the quarantine table. If they were genuine, delivery reports are missing. ${newSecretImpact(findsSecret, webhook)}`,
      firstStep:
        'Run "sms webhook status" and continue as the runbook says; RejectedSignatureMismatch, RejectedSignatureMissing, RejectedTimestamp and RejectedTooLarge have the reasons, and log lines INGEST-01 too.',
    });
    // A stranger can keep the alarm above on. This one goes off if each request of the service is rejected, too.
    this.addAlarm('AllRequestsRejected', {
      metric: new MathExpression({
        // A missing value counts as 0 beside another one, as in `sumOf`. Alone it would be no number.
        expression: `IF(accepted + 0 * (${rejections}) < 1, ${rejections}, 0)`,
        usingMetrics: { accepted, ...allRejected },
        period: Duration.minutes(15),
      }),
      threshold: rejectedRequests,
      severity: 'page',
      runbook: 'RequestsRejected',
      cause:
        'For a quarter of an hour requests were rejected, and none was verified: the secret was changed at the SMS service, it sends from new addresses, its requests are too large or of another HTTP method, the contract is wrong, or the requests are forged while it sends nothing or the worker stands still.',
      impact: `If they were genuine, all delivery reports, replies and opt-outs are lost unless the SMS service sends them again. ${newSecretImpact(findsSecret, webhook)}`,
      firstStep:
        'If RejectedSource, ConsumerErrors or QueueBehind is on, follow it. Otherwise run "sms webhook status" and continue as the runbook says.',
    });
    // Without ranges the metric has no data.
    if (webhook.allowedSources.length === 0) return;
    this.addAlarm('RejectedSource', {
      metric: this.metricCounted('RejectedSource'),
      threshold: rejectedRequests,
      severity: 'ticket',
      runbook: 'RejectedSource',
      cause:
        'Requests had addresses outside of webhook.allowedSources (setting sms:allowedSourceIps): the SMS service sends from new ones, or another sender calls the webhook.',
      impact:
        'They were answered with 403 and not stored; if they were genuine, delivery reports, replies and opt-outs are lost unless the SMS service sends them again.',
      firstStep: `${logs.access ? '' : 'Switch on logs.access (setting sms:accessLog) and deploy. '}Read the addresses in the access log of the API as the runbook says and ask the SMS service whether they are its own; if so, add them to webhook.allowedSources (setting sms:allowedSourceIps) and deploy.`,
    });
  }

  /** Adds the alarms on what all routes of the API share. */
  private addApiAlarms(api: PipelineApi): void {
    this.addAlarm('RequestsNearThrottle', {
      metric: api.percentOfThrottle(),
      threshold: nearThrottlePercent,
      severity: 'page',
      runbook: 'RequestsNotAccepted',
      cause: `For a minute the API received ${nearThrottlePercent} percent or more of the requests that webhook.ratePerSecond (setting sms:throttleRatePerSecond) lets pass: a large send, or a flood.`,
      impact:
        'Requests above the rate are answered with 429. Their events are lost unless the SMS service sends them again, and API Gateway may write no log and no metric of them.',
      firstStep:
        'Find the senders in the access log of the API. If they are the SMS service, raise webhook.ratePerSecond and webhook.burst and deploy.',
    });
    const outsideLog = api.serverErrorsOutsideLog();
    if (outsideLog !== undefined)
      this.addAlarm('ApiServerErrors', {
        metric: outsideLog,
        severity: 'ticket',
        runbook: 'RequestsNotAccepted',
        cause:
          'API Gateway counted 5xx on any route. If RequestsNotAccepted and QueryErrors are off, it failed itself, before it chose a route or wrote a line of the access log.',
        impact:
          'If the requests were of the webhook, their events are lost unless the SMS service sends them again.',
        firstStep:
          'If RequestsNotAccepted or QueryErrors is on, follow it. Otherwise check API Gateway in the AWS Health Dashboard, and compare the reports of the SMS service for these minutes with the history.',
      });
  }
}

/** In five minutes. Fewer are ordinary noise of the internet. */
const rejectedRequests = 10;

/** Above this share of the throttle a send that grows, or the next minute of a flood, may already lose events. */
const nearThrottlePercent = 80;

/** Says what happens to a secret that was rotated elsewhere. */
function newSecretImpact(findsSecret: boolean, webhook: PipelineOptions['webhook']): string {
  if (!findsSecret)
    return 'The pipeline does not store a new secret of the SMS service by itself (registration, setting sms:registration, or in the contract): until an operator runs "webhook store-secret", events are rejected.';
  return webhook.repairDrift
    ? 'The pipeline finds and stores a secret that was rotated elsewhere.'
    : 'The pipeline does not store a secret that was rotated elsewhere (webhook.repairDrift, setting sms:webhookDrift): until an operator acts, events are rejected.';
}
