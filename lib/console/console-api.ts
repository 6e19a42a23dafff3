import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { accessLogFields } from '../api/pipeline-api.ts';
import { logGroupProps } from '../building-blocks/log-group-props.ts';
import type { PipelineOptions } from '../options/options.ts';
import type { SignIn } from './sign-in.ts';

/** A page reads a few answers at once, and then one every some seconds. */
const throttle = { rateLimit: 20, burstLimit: 40 };

/**
 * The HTTP API of the console: the queries again, for users with a token. It is an API of its own, so that the console shares neither
 * throttle nor mutual TLS with the webhook, and a caller by IAM and a user never share a route.
 */
export class ConsoleApi extends Construct {
  readonly api: HttpApi;
  private readonly name: string;

  constructor(scope: Construct, id: string, options: PipelineOptions) {
    super(scope, id);
    this.name = `${options.name}-Console`;
    this.api = new HttpApi(this, 'Api', {
      apiName: this.name,
      description: 'Answers the queries of the console for users who signed in.',
      createDefaultStage: false,
    });
    const log = options.logs.access
      ? new LogGroup(this, 'AccessLog', {
          logGroupName: `/aws/vendedlogs/${options.name}/console`,
          ...logGroupProps(options.logs),
        })
      : undefined;
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      ...(log !== undefined && {
        accessLogSettings: {
          destination: new LogGroupLogDestination(log),
          format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
        },
      }),
    });
    if (log === undefined)
      Validations.of(stage).acknowledge(
        ...['AwsSolutions-APIG1', 'Serverless-APIGWAccessLogging'].map((rule) => ({
          id: rule,
          reason:
            'Switched off by logs.access (setting sms:accessLog): the query function still logs each answer with whole numbers, with its user.',
        })),
      );
  }

  /** Sends the requests of each route with a valid token to its function. */
  addRoutes({ issuer, clientId }: SignIn, routes: readonly ConsoleRoute[]): void {
    const authorizer = new HttpJwtAuthorizer('SignedIn', issuer, {
      authorizerName: this.name,
      jwtAudience: [clientId],
    });
    for (const { method, path, handler } of routes)
      new HttpRoute(this, `${method}${path}`, {
        httpApi: this.api,
        routeKey: HttpRouteKey.with(path, method),
        integration: new HttpLambdaIntegration('Integration', handler),
        authorizer,
      });
  }
}

export interface ConsoleRoute {
  readonly method: HttpMethod;
  readonly path: string;
  readonly handler: CdkFunction;
}
