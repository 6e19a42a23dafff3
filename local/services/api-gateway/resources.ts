import * as z from 'zod';
import { loopbackUrl, portOf } from '../../aws-protocol/http.ts';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, TemplateError, wholeNumber } from '../../cloudformation/template.ts';
import type { LogMetrics } from '../cloudwatch-logs/api.ts';
import { consoleApiOffset } from '../console-hosting/resources.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import type { FunctionRegistry } from '../lambda/functions.ts';
import { compileAccessLog } from './access-log.ts';
import { type Authorize, authorizeAll, authorizeByIam, HttpApi } from './api.ts';
import { STAGE_PATH, updateStage } from './control-endpoint.ts';
import { authorizeByToken, remoteIssuers } from './jwt-authorization.ts';

/** The HTTP API of the webhook listens on a port of the run, without the gateway; that of the console on another one. */
export function startApiGateway(run: ServiceRun, functions: FunctionRegistry, logMetrics: LogMetrics) {
  const httpApi = new HttpApi('local', Date.now);
  const httpApiUrl = loopbackUrl(run.ports.httpApi);
  return {
    routes: [
      {
        path: STAGE_PATH,
        answer: (apiId, request, response) => updateStage(httpApi, apiId, request, response),
      },
    ],
    ready: httpApi.listen(run.ports.httpApi),
    announcement: `HTTP API on ${httpApiUrl}`,
    resources: httpApiCreators({
      functions,
      httpApi,
      httpApiUrl,
      logMetrics,
      secondPort: run.ports.httpApi + consoleApiOffset,
    }),
  } satisfies RunningService;
}

/** Must match the ARN that cloudwatch-logs/resources.ts gives a log group. */
const logGroupArn = /:log-group:(.+):\*$/;

const api = z.strictObject({
  ProtocolType: z.literal('HTTP'),
  Name: inert,
  Description: inert,
  DisableExecuteApiEndpoint: z.boolean().optional(),
  IpAddressType: inert,
  Tags: inert,
});

const integration = z.strictObject({
  ApiId: inert,
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  IntegrationMethod: inert,
  PayloadFormatVersion: z.literal('2.0'),
  Description: inert,
});

const route = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z.enum(['NONE', 'AWS_IAM', 'JWT']).default('NONE'),
  AuthorizerId: z.string().default(''),
  AuthorizationScopes: z.array(z.string()).default([]),
  OperationName: inert,
});

const authorizer = z.strictObject({
  ApiId: inert,
  Name: inert,
  AuthorizerType: z.literal('JWT'),
  IdentitySource: z.tuple([z.literal('$request.header.Authorization')]),
  JwtConfiguration: z.strictObject({ Audience: z.array(z.string()).min(1), Issuer: z.url() }),
});

const routeSettings = z
  .strictObject({ ThrottlingRateLimit: z.coerce.number(), ThrottlingBurstLimit: wholeNumber })
  .transform(({ ThrottlingRateLimit, ThrottlingBurstLimit }) => ({
    ratePerSecond: ThrottlingRateLimit,
    burst: ThrottlingBurstLimit,
  }));

const stage = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AutoDeploy: inert,
  AccessLogSettings: z
    .strictObject({ DestinationArn: z.string().regex(logGroupArn), Format: z.string() })
    .optional(),
  DefaultRouteSettings: routeSettings.optional(),
  RouteSettings: z.record(z.string(), routeSettings).default({}),
  Description: inert,
  Tags: inert,
});

const hasNoAddress =
  "the API's own address is disabled (disableExecuteApiEndpoint, or mutual TLS), and one machine has no domain names. Leave both out of the app on this machine, for example by a value of the context: sms start -c local=true";

interface HttpApiParts {
  readonly functions: FunctionRegistry;
  readonly httpApi: HttpApi;
  /** Without a slash at its end. */
  readonly httpApiUrl: string;
  readonly logMetrics: LogMetrics;
  /** The port of a second HTTP API; 0 for a free one. */
  readonly secondPort: number;
}

/** Creators of HTTP APIs, their integrations, authorizers, routes and stages. The first one has the port of the run. */
export function httpApiCreators({
  functions,
  httpApi,
  httpApiUrl,
  logMetrics,
  secondPort,
}: HttpApiParts): Record<string, CreateResource> {
  const integrations = new Map<string, string>();
  const apis = new Map([[httpApi.apiId, httpApi]]);
  let created = 0;
  const issuers = remoteIssuers();
  const authorizers = new Map<string, z.output<typeof authorizer>['JwtConfiguration']>();
  const apiOf = (id: string): HttpApi => {
    const found = apis.get(id);
    if (found === undefined) throw new TemplateError(`no HTTP API ${id}`);
    return found;
  };
  function authorizeBy({
    AuthorizationType,
    AuthorizerId,
    AuthorizationScopes,
  }: z.output<typeof route>): Authorize {
    if (AuthorizationType === 'NONE') return authorizeAll;
    if (AuthorizationType === 'AWS_IAM') return authorizeByIam;
    const found = authorizers.get(AuthorizerId);
    if (found === undefined) throw new TemplateError(`no authorizer ${AuthorizerId}`);
    return authorizeByToken(
      { issuer: found.Issuer, audience: found.Audience, scopes: AuthorizationScopes },
      issuers,
    );
  }
  return {
    'AWS::ApiGatewayV2::Api': async (request) => {
      if (readProperties(api, request).DisableExecuteApiEndpoint === true)
        throw new TemplateError(hasNoAddress);
      created += 1;
      const isFirst = created === 1;
      const one = isFirst ? httpApi : new HttpApi(`local${created}`, Date.now);
      apis.set(one.apiId, one);
      // A third API and further ones have free ports.
      const url = isFirst
        ? httpApiUrl
        : loopbackUrl(portOf(await one.listen(created === 2 ? secondPort : 0)));
      return { ref: one.apiId, attributes: { ApiEndpoint: url, ApiId: one.apiId } };
    },
    'AWS::ApiGatewayV2::Authorizer': async (request) => {
      const { JwtConfiguration } = readProperties(authorizer, request);
      authorizers.set(request.logicalId, JwtConfiguration);
      return { ref: request.logicalId };
    },
    'AWS::ApiGatewayV2::Integration': async (request) => {
      const { IntegrationUri } = readProperties(integration, request);
      integrations.set(request.logicalId, IntegrationUri);
      return { ref: request.logicalId };
    },
    'AWS::ApiGatewayV2::Route': async (request) => {
      const properties = readProperties(route, request);
      const { ApiId, RouteKey, Target } = properties;
      const functionArn = integrations.get(Target.replace(/^integrations\//, ''));
      if (functionArn === undefined) throw new TemplateError(`no integration for the target ${Target}`);
      apiOf(ApiId).addRoute(RouteKey, functions.inTemplate(functionArn), authorizeBy(properties));
      return { ref: request.logicalId };
    },
    'AWS::ApiGatewayV2::Stage': async (request) => {
      const { ApiId, StageName, AccessLogSettings, DefaultRouteSettings, RouteSettings } = readProperties(
        stage,
        request,
      );
      const staged = apiOf(ApiId);
      if (AccessLogSettings !== undefined) {
        const [, logGroup = ''] = logGroupArn.exec(AccessLogSettings.DestinationArn) ?? [];
        const lineOf = compileAccessLog(AccessLogSettings.Format);
        staged.logTo((context) => logMetrics.wrote(logGroup, lineOf(context)));
      }
      staged.throttles.replace({ everyRoute: DefaultRouteSettings, routes: RouteSettings });
      return { ref: StageName };
    },
  };
}
