import * as z from 'zod';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, TemplateError, wholeNumber } from '../../cloudformation/template.ts';
import type { LogMetrics } from '../cloudwatch-logs/api.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import type { FunctionRegistry } from '../lambda/functions.ts';
import { compileAccessLog } from './access-log.ts';
import { HttpApi } from './api.ts';
import { STAGE_PATH, updateStage } from './control-endpoint.ts';

/** The HTTP API listens on a port of its own, without the gateway. */
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
    resources: httpApiCreators({ functions, httpApi, httpApiUrl, logMetrics }),
  } satisfies RunningService;
}

/** Must match the ARN that cloudwatch-logs/resources.ts gives a log group. */
const logGroupArn = /:log-group:(.+):\*$/;

const api = z.strictObject({
  ProtocolType: z.literal('HTTP'),
  Name: inert,
  Description: inert,
  DisableExecuteApiEndpoint: z.literal(false).optional(),
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
  ApiId: inert,
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z.enum(['NONE', 'AWS_IAM']).default('NONE'),
  OperationName: inert,
});

const routeSettings = z
  .strictObject({ ThrottlingRateLimit: z.coerce.number(), ThrottlingBurstLimit: wholeNumber })
  .transform(({ ThrottlingRateLimit, ThrottlingBurstLimit }) => ({
    ratePerSecond: ThrottlingRateLimit,
    burst: ThrottlingBurstLimit,
  }));

const stage = z.strictObject({
  ApiId: inert,
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

interface HttpApiParts {
  readonly functions: FunctionRegistry;
  readonly httpApi: HttpApi;
  /** Without a slash at its end. */
  readonly httpApiUrl: string;
  readonly logMetrics: LogMetrics;
}

/** Creators of an HTTP API, its integrations, routes and stage. There is one port, so there is one API. */
export function httpApiCreators({
  functions,
  httpApi,
  httpApiUrl,
  logMetrics,
}: HttpApiParts): Record<string, CreateResource> {
  const integrations = new Map<string, string>();
  let apiCount = 0;
  return {
    'AWS::ApiGatewayV2::Api': async (request) => {
      readProperties(api, request);
      apiCount += 1;
      if (apiCount > 1) throw new TemplateError('a second HTTP API is not supported on one machine');
      return {
        ref: httpApi.apiId,
        attributes: { ApiEndpoint: httpApiUrl, ApiId: httpApi.apiId },
      };
    },
    'AWS::ApiGatewayV2::Integration': async (request) => {
      const { IntegrationUri } = readProperties(integration, request);
      integrations.set(request.logicalId, IntegrationUri);
      return { ref: request.logicalId };
    },
    'AWS::ApiGatewayV2::Route': async (request) => {
      const { RouteKey, Target, AuthorizationType } = readProperties(route, request);
      const functionArn = integrations.get(Target.replace(/^integrations\//, ''));
      if (functionArn === undefined) throw new TemplateError(`no integration for the target ${Target}`);
      httpApi.addRoute(RouteKey, functions.find(functionArn), AuthorizationType);
      return { ref: request.logicalId };
    },
    'AWS::ApiGatewayV2::Stage': async (request) => {
      const { StageName, AccessLogSettings, DefaultRouteSettings, RouteSettings } = readProperties(
        stage,
        request,
      );
      if (AccessLogSettings !== undefined) {
        const [, logGroup = ''] = logGroupArn.exec(AccessLogSettings.DestinationArn) ?? [];
        const lineOf = compileAccessLog(AccessLogSettings.Format);
        httpApi.logTo((context) => logMetrics.wrote(logGroup, lineOf(context)));
      }
      httpApi.throttles.replace({ everyRoute: DefaultRouteSettings, routes: RouteSettings });
      return { ref: StageName };
    },
  };
}
