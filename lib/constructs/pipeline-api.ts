import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { OperatorAlarm } from './operator-alarm.ts';

export interface PipelineApiProps {
  readonly rateLimitPerSecond: number;
  readonly burstLimit: number;
  readonly logRetentionDays: number;
  readonly alarmTopic: ITopic | undefined;
}

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

/** The one HTTP API, throttled and with an access log: the webhook comes in here, and delivery history is asked here. */
export class PipelineApi extends Construct {
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  private readonly api: HttpApi;
  private readonly stage: HttpStage;

  constructor(scope: Construct, id: string, props: PipelineApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      description: 'Receives the webhook of the SMS service and answers questions about delivery history.',
      createDefaultStage: false,
    });
    this.url = this.api.apiEndpoint;
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.stage = new HttpStage(this, 'Stage', {
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

  /** Sends every request to a path to `handler`, whatever its method: the handler answers 405 itself. */
  addRoute(path: string, handler: CdkFunction, authorizer?: IHttpRouteAuthorizer): HttpRoute {
    // The id that addRoutes of CDK's HttpApi would give it, which routes of existing deployments have.
    return new HttpRoute(this.api, `ANY${path}`, {
      httpApi: this.api,
      routeKey: HttpRouteKey.with(path, HttpMethod.ANY),
      integration: new HttpLambdaIntegration('Integration', handler),
      ...(authorizer === undefined ? {} : { authorizer }),
    });
  }

  /** Gives a route a limit of its own, below the one that every route has. */
  throttle(
    route: HttpRoute,
    key: string,
    limit: { readonly ratePerSecond: number; readonly burst: number },
  ): void {
    const { defaultChild } = this.stage.node;
    if (!(defaultChild instanceof CfnStage)) throw new Error('the stage of the API is not as CDK makes it');
    defaultChild.routeSettings = {
      [key]: { ThrottlingRateLimit: limit.ratePerSecond, ThrottlingBurstLimit: limit.burst },
    };
    // API Gateway refuses settings of a route that does not exist yet.
    defaultChild.node.addDependency(route);
  }

  /** Of all routes together: API Gateway counts by route only with detailed metrics, which are billed. */
  private alarmOnServerErrors(topic: ITopic | undefined): void {
    new OperatorAlarm(this, 'ServerErrors', {
      metric: this.api.metricServerError({ period: Duration.minutes(1), statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 1,
      cause:
        'The HTTP API answered with 5xx. Either the webhook: SQS or Secrets Manager failed or was slow, or the function "ingest" crashed or was throttled. Or a question about delivery history, which the alarms of "query" are about.',
      impact:
        'If it was the webhook, an event was not accepted, and is lost unless the SMS service sends it again.',
      firstStep:
        'See in the access log of the HTTP API (status, routeKey) which of the two it was. If the webhook, read the log group of "ingest", check the AWS Health Dashboard for SQS, Secrets Manager and Lambda, then compare the service\'s own reports for these minutes with the history.',
      topic,
    });
  }
}
