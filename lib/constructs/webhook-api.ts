import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { OperatorAlarm } from './operator-alarm.ts';

export interface WebhookApiProps {
  readonly rateLimitPerSecond: number;
  readonly burstLimit: number;
  readonly logRetentionDays: number;
  readonly alarmTopic: ITopic | undefined;
}

const path = '/webhooks/sms';

/** What a line of the access log tells: no header, body, path or query, where a number or a secret could stand. */
const accessLogFields = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationStatus: '$context.integrationStatus',
  gatewayError: '$context.error.responseType',
};

/** The HTTP API that receives the service's webhook on one path, throttled and with an access log. */
export class WebhookApi extends Construct {
  /** The address to register at the service. */
  readonly webhookUrl: string;
  private readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: WebhookApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      description: 'Receives the webhook of the SMS service.',
      createDefaultStage: false,
    });
    this.webhookUrl = `${this.api.apiEndpoint}${path}`;
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: props.rateLimitPerSecond, burstLimit: props.burstLimit },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    this.alarmOnServerErrors(props.alarmTopic);
  }

  /** Sends every request to the webhook's path to `handler`, whatever its method: the handler answers 405 itself. */
  routeTo(handler: CdkFunction): void {
    const routes = this.api.addRoutes({
      path,
      methods: [HttpMethod.ANY],
      integration: new HttpLambdaIntegration('Integration', handler),
    });
    for (const route of routes)
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          'The SMS service cannot sign with IAM or send a token of ours: the function behind the route verifies its signature over every request.',
      });
  }

  private alarmOnServerErrors(topic: ITopic | undefined): void {
    new OperatorAlarm(this, 'ServerErrors', {
      metric: this.api.metricServerError({ period: Duration.minutes(1), statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 1,
      cause:
        'The webhook was answered with 5xx: SQS or Secrets Manager failed or was slow, or the function "ingest" crashed or was throttled.',
      impact: 'An event was not accepted, and is lost unless the SMS service sends it again.',
      firstStep:
        'Read the log group of "ingest", check the AWS Health Dashboard for SQS, Secrets Manager and Lambda, then compare the service\'s own reports for these minutes with the history.',
      topic,
    });
  }
}
