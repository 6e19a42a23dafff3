import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HttpApi } from '../../../local/http-api/server.ts';
import { FunctionRegistry } from '../../../local/lambda/registry.ts';
import { httpApiCreators } from '../../../local/resources/http-api.ts';
import { closeServer } from '../../../local/services/http.ts';
import { parseTemplate, TemplateError } from '../../../local/template/template.ts';
import { freePorts } from '../../support/free-port.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../support/local-function.ts';

// Real processes and servers, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

let server: Server;
let url: string;
let hosted: LocalFunctionUnderTest;
const functions = new FunctionRegistry();
const httpApi = new HttpApi('local', Date.now);

beforeAll(async () => {
  hosted = hostFunction('exports.handler = async (event) => ({ statusCode: 200, body: event.routeKey });');
  functions.add({ definition: hosted.definition, arn: ARN, pool: hosted.pool });
  const port = await freePorts();
  server = await httpApi.listen(port);
  url = `http://127.0.0.1:${port}`;
  const integration = { ApiId: 'local', IntegrationType: 'AWS_PROXY', IntegrationUri: ARN };
  await create('Integration', { ...integration, PayloadFormatVersion: '2.0' });
});

afterAll(async () => {
  await closeServer(server);
  await hosted.pool.stop();
});

const creators = httpApiCreators({ functions, httpApi, httpApiUrl: 'http://127.0.0.1' });

/** Makes a resource of AWS::ApiGatewayV2 as a stack would, of which the logical id is its type. */
async function create(type: string, properties: Record<string, unknown>) {
  const stack = { name: 'Pipeline', template: parseTemplate({}), assets: new Map() };
  const name = `AWS::ApiGatewayV2::${type}`;
  return creators[name]?.({ stack, logicalId: type, type: name, properties });
}

const addRoute = (RouteKey: string, more: object) =>
  create('Route', { ApiId: 'local', RouteKey, Target: 'integrations/Integration', ...more });

it('guards a route as the template says', async () => {
  await addRoute('ANY /guarded', { AuthorizationType: 'AWS_IAM' });
  await addRoute('ANY /open', { AuthorizationType: 'NONE' });
  await addRoute('ANY /unsaid', {});
  const statuses = ['/guarded', '/open', '/unsaid'].map(async (path) => (await fetch(url + path)).status);
  expect(await Promise.all(statuses)).toEqual([403, 200, 200]);
});

it.each([{ AuthorizationType: 'JWT' }, { AuthorizationType: 'CUSTOM', AuthorizerId: 'a' }])(
  'refuses an authorization that nobody checks here: %o',
  async (more) => {
    await expect(addRoute('ANY /other', more)).rejects.toThrow(TemplateError);
    expect((await fetch(`${url}/other`)).status).toBe(404);
  },
);
