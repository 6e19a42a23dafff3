import { z } from 'zod';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, wholeNumber } from '../../cloudformation/properties.ts';
import { TemplateError } from '../../cloudformation/template.ts';
import type { Runtime } from '../runtime.ts';
import { compileAccessLog } from './access-log.ts';

/** As that of local/services/cloudwatch-logs/resources.ts. */
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

/** Creators of an HTTP API, its integrations, routes and stage. There is one port, so there is one API. */
export function httpApiCreators(
  runtime: Pick<Runtime, 'functions' | 'httpApi' | 'httpApiUrl' | 'logMetrics'>,
): Record<string, CreateResource> {
  const integrations = new Map<string, string>();
  let apiCount = 0;
  return {
    'AWS::ApiGatewayV2::Api': async (request) => {
      readProperties(api, request);
      apiCount += 1;
      if (apiCount > 1) throw new TemplateError('a second HTTP API is not supported on one machine');
      return {
        ref: runtime.httpApi.apiId,
        attributes: { ApiEndpoint: runtime.httpApiUrl, ApiId: runtime.httpApi.apiId },
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
      runtime.httpApi.addRoute(RouteKey, runtime.functions.find(functionArn), AuthorizationType);
      return { ref: request.logicalId };
    },
    'AWS::ApiGatewayV2::Stage': async (request) => {
      const { StageName, AccessLogSettings, DefaultRouteSettings, RouteSettings } = readProperties(
        stage,
        request,
      );
      const { httpApi, logMetrics } = runtime;
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
