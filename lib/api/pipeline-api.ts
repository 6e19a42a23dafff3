import { Duration, Tokenization, Validations } from 'aws-cdk-lib';
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
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { mainSource } from '../../contract/events/source-id.ts';
import { logGroupProps } from '../building-blocks/log-group-props.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../options/options.ts';
import { ApiDomain } from './api-domain.ts';

/**
 * The fields of a line of the access log. There is no header, body, path or query, which could hold a number or a secret. Each event
 * pays for the line, so it leaves out the time and the function's own duration: CloudWatch and Lambda have them.
 */
export const accessLogFields = {
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatencyMs: '$context.responseLatency',
  gatewayError: '$context.error.responseType',
};

const everyMinute = { period: Duration.minutes(1), statistic: 'Sum' };

/** The only HTTP API, for the webhook and for queries. It is throttled and, unless switched off, has an access log. */
export class PipelineApi extends Construct {
  /** The base URL, without a slash at the end: of the custom domain once DNS points to it, otherwise API Gateway's own. */
  readonly url: string;
  /** API Gateway's own URL, which does not answer with mutual TLS. */
  readonly executeApiUrl: string;
  readonly domain: ApiDomain | undefined;
  readonly apiId: string;
  readonly stage: HttpStage;
  private readonly api: HttpApi;
  private readonly accessLog: LogGroup | undefined;
  private readonly metricsNamespace: string;
  private readonly ratePerSecond: number;

  constructor(scope: Construct, id: string, options: PipelineOptions) {
    super(scope, id);
    const { domain } = options.webhook;
    this.api = new HttpApi(this, 'Api', {
      apiName: options.name,
      description: 'Receives the webhook of the SMS service and answers queries of the delivery history.',
      createDefaultStage: false,
      // With mutual TLS, clients without a certificate could use API Gateway's own URL. False is written out: UpdateApi keeps an
      // omitted field, so the endpoint would stay disabled after the domain is removed.
      disableExecuteApiEndpoint: domain?.mutualTls !== undefined,
    });
    const { defaultChild } = this.api.node;
    if (!(defaultChild instanceof CfnApi)) throw new Error('CDK made the API in an unexpected way');
    // this.api.apiEndpoint throws if the endpoint is disabled.
    this.executeApiUrl = defaultChild.attrApiEndpoint;
    this.apiId = this.api.apiId;
    this.metricsNamespace = options.metricsNamespace;
    this.ratePerSecond = options.webhook.ratePerSecond;
    if (options.logs.access)
      this.accessLog = new LogGroup(this, 'AccessLog', {
        logGroupName: accessLogName(options.name),
        ...logGroupProps(options.logs),
      });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: options.webhook.ratePerSecond, burstLimit: options.webhook.burst },
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
            'Switched off by logs.access (setting sms:accessLog) to save its cost for each request: the function still counts and logs rejected requests, by reason.',
        })),
      );
    if (domain !== undefined)
      this.domain = new ApiDomain(this, 'Domain', { options, domain, api: this.api, stage: this.stage });
    addOutput(this, options, 'ApiId', this.apiId);
    const isDomainUsed = domain?.usedByWebhook === true;
    this.url = isDomainUsed ? `https://${domain.name}` : this.executeApiUrl;
  }

  /** Sends every request to a path to `handler`, with any method: the handler answers 405 itself. */
  addRoute(path: string, handler: CdkFunction, authorizer?: IHttpRouteAuthorizer): HttpRoute {
    // The id that addRoutes of CDK's HttpApi would give it, which routes of existing deployments have.
    return new HttpRoute(this.api, `ANY${path}`, {
      httpApi: this.api,
      routeKey: HttpRouteKey.with(path, HttpMethod.ANY),
      integration: new HttpLambdaIntegration('Integration', handler),
      ...(authorizer === undefined ? {} : { authorizer }),
    });
  }

  /** Gives a route its own limit, below the one of the stage. */
  throttle(
    route: HttpRoute,
    key: string,
    limit: { readonly ratePerSecond: number; readonly burst: number },
  ): void {
    const { defaultChild } = this.stage.node;
    if (!(defaultChild instanceof CfnStage))
      throw new Error('CDK made the stage of the API in an unexpected way');
    defaultChild.routeSettings = {
      [key]: { ThrottlingRateLimit: limit.ratePerSecond, ThrottlingBurstLimit: limit.burst },
    };
    // API Gateway rejects settings of a route that does not exist yet.
    defaultChild.node.addDependency(route);
  }

  /**
   * Counts the routes' answers of 5xx, including API Gateway's own, from the access log: API Gateway's metrics distinguish routes
   * only with detailed metrics, which cost extra. Without the log it counts 5xx of all routes. A pattern of the log has no braces, so a
   * route with a variable stands for all below its path: with one, the metric of `main` counts the routes of other sources too.
   *
   * @param source whose webhook has the paths
   */
  serverErrorsOf(paths: readonly string[], source: string = mainSource): Metric {
    const isServerError = FilterPattern.stringValue('$.status', '=', '5*');
    const [path = '', ...below] = paths;
    const isRoute = routeIs('=', path);
    const ofRoute = FilterPattern.all(
      below.length === 0 ? isRoute : FilterPattern.any(isRoute, ...below.map((other) => routeIs('=', other))),
      isServerError,
    );
    const name = source === mainSource ? 'WebhookServerErrors' : `WebhookServerErrors-${source}`;
    return this.counted(name, ofRoute) ?? this.stage.metricServerError(everyMinute);
  }

  /**
   * Counts requests that the API's or the account's throttle rejected, except those to a path that has its own limit. Undefined
   * without the access log: no metric of API Gateway distinguishes 429 from other 4xx.
   */
  throttledExceptTo(path: string): Metric | undefined {
    const isThrottled = FilterPattern.stringValue('$.status', '=', '429');
    return this.counted('RequestsThrottled', FilterPattern.all(isThrottled, routeIs('!=', path)));
  }

  /** The requests to all routes in a minute, in percent of what the throttle lets pass in a minute. */
  percentOfThrottle(): MathExpression {
    return new MathExpression({
      // The rate may be known at deployment only.
      expression: `100 * requests / (60 * ${Tokenization.stringifyNumber(this.ratePerSecond)})`,
      usingMetrics: { requests: this.stage.metricCount(everyMinute) },
      period: everyMinute.period,
    });
  }

  /**
   * Counts API Gateway's 5xx of all routes, for an alarm beside the one on {@link serverErrorsOf}: API Gateway may write no line of the
   * access log for its own internal failures. Undefined without the log, because the other alarm then counts the same.
   */
  serverErrorsOutsideLog(): Metric | undefined {
    return this.accessLog && this.stage.metricServerError(everyMinute);
  }

  private counted(metricName: string, filterPattern: IFilterPattern): Metric | undefined {
    return this.accessLog
      ?.addMetricFilter(metricName, { metricNamespace: this.metricsNamespace, metricName, filterPattern })
      .metric(everyMinute);
  }
}

/**
 * The physical name of the access log's group. API Gateway adds every group to a resource policy of the account, which is limited to
 * 5,120 characters, except groups below `/aws/vendedlogs/` ("Enable logging from AWS services", CloudWatch Logs user guide:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html). The name is unique in its
 * account and region, so two pipelines have two groups.
 */
function accessLogName(pipeline: string): string {
  return `/aws/vendedlogs/${pipeline}/access`;
}

function routeIs(comparison: '=' | '!=', path: string) {
  // A wildcard replaces a variable of the path: its braces would clash with those of the pattern.
  return FilterPattern.stringValue(
    '$.routeKey',
    comparison,
    `${HttpMethod.ANY} ${path.replaceAll(/\{[^}]*\}/g, '*')}`,
  );
}
