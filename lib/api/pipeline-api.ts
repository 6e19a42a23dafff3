import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnApi,
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
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ApiDomain, type CustomDomain } from './api-domain.ts';

export interface PipelineApiProps {
  readonly rateLimitPerSecond: number;
  readonly burstLimit: number;
  /** Whether each request writes a line, from which webhook and throttle are told apart from the rest. */
  readonly hasAccessLog: boolean;
  readonly logRetentionDays: number;
  readonly metricsNamespace: string;
  readonly customDomain: CustomDomain | undefined;
  /** Whether {@link PipelineApi.url} is at the custom domain: not before DNS points to it. */
  readonly isDomainUsed: boolean;
}

/**
 * What a line of the access log tells: no header, body, path or query, where a number or a secret could stand. Each event pays
 * for it: CloudWatch has the time, and Lambda the function's own duration.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatencyMs: '$context.responseLatency',
  gatewayError: '$context.error.responseType',
};

const everyMinute = { period: Duration.minutes(1), statistic: 'Sum' };

/** The one HTTP API, throttled and, unless it is switched off, with an access log: the webhook comes in here, and delivery history is asked here. */
export class PipelineApi extends Construct {
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  /** Where API Gateway itself has it answer; nothing does there with mutual TLS. */
  readonly ownUrl: string;
  readonly domain: ApiDomain | undefined;
  readonly apiId: string;
  private readonly api: HttpApi;
  readonly stage: HttpStage;
  private readonly accessLog: LogGroup | undefined;
  private readonly metricsNamespace: string;

  constructor(scope: Construct, id: string, props: PipelineApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      description: 'Receives the webhook of the SMS service and answers questions about delivery history.',
      createDefaultStage: false,
      // With mutual TLS, clients without a certificate would come in there. False is written out: UpdateApi keeps a field that is
      // left out, so the endpoint would stay disabled after the domain is removed.
      disableExecuteApiEndpoint: props.customDomain?.truststore !== undefined,
    });
    const { defaultChild } = this.api.node;
    if (!(defaultChild instanceof CfnApi)) throw new Error('the API is not as CDK makes it');
    // Not this.api.apiEndpoint, which throws where nothing answers at it.
    this.ownUrl = defaultChild.attrApiEndpoint;
    this.apiId = this.api.apiId;
    this.metricsNamespace = props.metricsNamespace;
    if (props.hasAccessLog)
      this.accessLog = new LogGroup(this, 'AccessLog', {
        logGroupName: accessLogName(this),
        retention: props.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: props.rateLimitPerSecond, burstLimit: props.burstLimit },
      ...(this.accessLog !== undefined && {
        accessLogSettings: {
          destination: new LogGroupLogDestination(this.accessLog),
          format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
        },
      }),
    });
    if (this.accessLog === undefined)
      Validations.of(this.stage).acknowledge(
        ...['AwsSolutions-APIG1', 'Serverless-APIGWAccessLogging'].map((id) => ({
          id,
          reason:
            'Switched off by sms:accessLog to save what it costs for each request: refused requests are still counted and logged by the function, by reason.',
        })),
      );
    if (props.customDomain !== undefined)
      this.domain = new ApiDomain(this, 'Domain', {
        domain: props.customDomain,
        api: this.api,
        stage: this.stage,
      });
    this.url = (props.isDomainUsed ? this.domain?.url : undefined) ?? this.ownUrl;
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

  /**
   * 5xx that a route answered with, API Gateway's own among them, counted from the access log: its metrics tell routes apart
   * only where detailed metrics are paid for. Without the log, 5xx of all routes.
   */
  serverErrorsOf(path: string): Metric {
    const isServerError = FilterPattern.stringValue('$.status', '=', '5*');
    const ofRoute = FilterPattern.all(routeIs('=', path), isServerError);
    return this.counted('WebhookServerErrors', ofRoute) ?? this.stage.metricServerError(everyMinute);
  }

  /**
   * Requests that a throttle refused, the API's or the account's, but for those to a path that has a limit of its own.
   * Undefined without the access log: no metric of API Gateway's tells 429 from the rest of 4xx.
   */
  throttledExceptTo(path: string): Metric | undefined {
    const isThrottled = FilterPattern.stringValue('$.status', '=', '429');
    return this.counted('RequestsThrottled', FilterPattern.all(isThrottled, routeIs('!=', path)));
  }

  private counted(metricName: string, filterPattern: IFilterPattern): Metric | undefined {
    return this.accessLog
      ?.addMetricFilter(metricName, { metricNamespace: this.metricsNamespace, metricName, filterPattern })
      .metric(everyMinute);
  }
}

/**
 * The physical name of the access log's group. API Gateway adds every group to a resource policy of the account, which takes 5,120
 * characters, except groups below `/aws/vendedlogs/` ("Enable logging from AWS services", CloudWatch Logs user guide:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html). A stack's name is unique in its
 * account and region, so two pipelines have two names.
 */
function accessLogName(scope: Construct): string {
  return `/aws/vendedlogs/${Stack.of(scope).stackName}/access`;
}

function routeIs(comparison: '=' | '!=', path: string) {
  // A variable of the path by CloudWatch's wildcard: its braces would stand within those of the pattern.
  return FilterPattern.stringValue(
    '$.routeKey',
    comparison,
    `${HttpMethod.ANY} ${path.replaceAll(/\{[^}]*\}/g, '*')}`,
  );
}
