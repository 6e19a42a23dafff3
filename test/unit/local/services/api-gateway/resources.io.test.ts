import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer } from '../../../../../local/aws-protocol/http.ts';
import { TemplateError } from '../../../../../local/cloudformation/template.ts';
import { HttpApi } from '../../../../../local/services/api-gateway/api.ts';
import { updateStage } from '../../../../../local/services/api-gateway/control-endpoint.ts';
import { httpApiCreators } from '../../../../../local/services/api-gateway/resources.ts';
import { LogMetrics } from '../../../../../local/services/cloudwatch-logs/api.ts';
import { metricFilterCreator } from '../../../../../local/services/cloudwatch-logs/resources.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { callListener } from '../../../../support/in-memory-http.ts';
import { inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';
import { resourceRequest } from '../../../../support/resource-request.ts';

let server: Server;
let url: string;
const target = inMemoryFunction(({ routeKey }: { routeKey: string }) => ({
  statusCode: 200,
  body: routeKey,
}));
const httpApi = new HttpApi('local', Date.now);

beforeAll(async () => {
  const port = await freePorts();
  server = await httpApi.listen(port);
  url = `http://127.0.0.1:${port}`;
  const integration = { ApiId: 'local', IntegrationType: 'AWS_PROXY', IntegrationUri: target.arn };
  await create('Integration', { ...integration, PayloadFormatVersion: '2.0' });
});

afterAll(() => closeServer(server));

const logMetrics = new LogMetrics();
const functions = registryOf(target);
const creators = httpApiCreators({
  functions,
  httpApi,
  httpApiUrl: 'http://127.0.0.1',
  logMetrics,
  secondPort: 0,
});

/** Makes a resource of AWS::ApiGatewayV2 as a stack would, of which the logical id is its type. */
async function create(type: string, properties: Record<string, unknown>) {
  const name = `AWS::ApiGatewayV2::${type}`;
  return creators[name]?.(resourceRequest(name, properties));
}

const addRoute = (RouteKey: string, more: object) =>
  create('Route', { ApiId: 'local', RouteKey, Target: 'integrations/Integration', ...more });

it('an API without an address of its own is refused, and each further API has a port', async () => {
  const properties = { ProtocolType: 'HTTP' };
  await expect(create('Api', { ...properties, DisableExecuteApiEndpoint: true })).rejects.toThrow(
    "the API's own address is disabled (disableExecuteApiEndpoint, or mutual TLS), and one machine has no domain names.",
  );
  const [own, used] = [new HttpApi('local', Date.now), await freePorts()];
  const apis = httpApiCreators({
    functions,
    httpApi: own,
    httpApiUrl: 'http://127.0.0.1',
    logMetrics,
    secondPort: used,
  });
  const addresses: unknown[] = [];
  for (let count = 0; count < 3; count++) {
    const created = await apis['AWS::ApiGatewayV2::Api']?.(
      resourceRequest('AWS::ApiGatewayV2::Api', properties),
    );
    addresses.push(created?.attributes?.ApiEndpoint);
  }
  expect(addresses.slice(0, 2)).toEqual(['http://127.0.0.1', `http://127.0.0.1:${used}`]);
  expect(addresses[2]).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
});

it('a route requires the authorization of the template', async () => {
  await addRoute('ANY /guarded', { AuthorizationType: 'AWS_IAM' });
  await addRoute('ANY /open', { AuthorizationType: 'NONE' });
  await addRoute('ANY /unsaid', {});
  const statuses = ['/guarded', '/open', '/unsaid'].map(async (path) => (await fetch(url + path)).status);
  expect(await Promise.all(statuses)).toEqual([403, 200, 200]);
});

it.each([
  { AuthorizationType: 'JWT', AuthorizerId: 'none' },
  { AuthorizationType: 'CUSTOM', AuthorizerId: 'a' },
])('a route rejects an authorization that is not supported: %o', async (more) => {
  await expect(addRoute('ANY /other', more)).rejects.toThrow(TemplateError);
  expect((await fetch(`${url}/other`)).status).toBe(404);
});

describe('the stage', () => {
  const format =
    '{"route":"$context.routeKey","status":"$context.status","error":"$context.error.responseType"}';
  const stage = (more: object) => create('Stage', { ApiId: 'local', StageName: '$default', ...more });
  const throttle = (ThrottlingRateLimit: number, ThrottlingBurstLimit: number) => ({
    ThrottlingRateLimit,
    ThrottlingBurstLimit,
  });
  const ask = async (path: string, times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => fetch(url + path)));
    return Promise.all(answers.map(async (answer) => ({ status: answer.status, body: await answer.text() })));
  };
  const statuses = async (path: string, times: number) =>
    (await ask(path, times)).map(({ status }) => status).toSorted();

  beforeAll(async () => {
    await addRoute('ANY /hook', {});
    await addRoute('ANY /own', {});
    const filter = {
      LogGroupName: 'access',
      FilterPattern: '{ ($.status = "429") && ($.route != "ANY /own") }',
      MetricTransformations: [{ MetricNamespace: 'Ours', MetricName: 'Throttled', MetricValue: '1' }],
    };
    await metricFilterCreator(logMetrics)(resourceRequest('AWS::Logs::MetricFilter', filter));
    await stage({
      DefaultRouteSettings: throttle(0.001, 2),
      RouteSettings: { 'ANY /own': throttle(0.001, 1) },
      AccessLogSettings: { DestinationArn: 'arn:aws:logs:r:0:log-group:access:*', Format: format },
    });
  });

  it('answers throttled requests as API Gateway does, and counts them from the access log, except those of a route with its own throttle', async () => {
    expect(await statuses('/hook', 5)).toEqual([200, 200, 429, 429, 429]);
    expect(await ask('/hook', 1)).toEqual([{ status: 429, body: '{"message":"Too Many Requests"}' }]);
    expect(await statuses('/own', 3)).toEqual([200, 429, 429]);
    expect(await statuses('/nowhere', 3)).toEqual([404, 404, 404]);
    expect(logMetrics.counts).toEqual({ 'Ours/Throttled': 4 });
  });

  it('rejects settings that would have another effect here', async () => {
    await expect(stage({ DefaultRouteSettings: { DetailedMetricsEnabled: true } })).rejects.toThrow(
      TemplateError,
    );
  });

  it.each([
    '$context.identity.sourceIp "$context.httpMethod $context.path" $context.status',
    '{"status":$context.status}',
    '["$context.status"]',
    '',
  ])('rejects a format of the access log that metric filters here cannot read: %s', async (Format) => {
    const AccessLogSettings = { DestinationArn: 'arn:aws:logs:r:0:log-group:access:*', Format };
    await expect(stage({ AccessLogSettings })).rejects.toThrow(TemplateError);
  });

  it('applies the throttles of UpdateStage during the run, and no invalid ones', async () => {
    const update = (body: object, apiId = 'local') =>
      callListener((asked, response) => void updateStage(httpApi, apiId, asked, response), {
        method: 'PATCH',
        body: JSON.stringify(body),
      });
    const closed = { throttlingRateLimit: 0, throttlingBurstLimit: 0 };
    expect(await update({ defaultRouteSettings: closed })).toMatchObject({
      status: 200,
      json: { stageName: '$default', defaultRouteSettings: closed },
    });
    expect(await statuses('/hook', 2)).toEqual([429, 429]);
    expect(await statuses('/own', 2)).toEqual([200, 429]);
    for (const wrong of [{ autoDeploy: false }, { defaultRouteSettings: { throttlingBurstLimit: 1 } }])
      expect((await update(wrong)).status).toBe(400);
    expect((await update({}, 'another')).status).toBe(404);
    expect(await statuses('/hook', 1)).toEqual([429]);
  });
});
