import type { Server } from 'node:http';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FunctionRegistry } from '../../../local/lambda/registry.ts';
import { CustomResourceError, customResourceCreator } from '../../../local/resources/custom-resource.ts';
import { startAwsEndpoint } from '../../../local/services/aws-endpoint.ts';
import { ResponseInbox } from '../../../local/services/custom-resource-responses.ts';
import { closeServer } from '../../../local/services/http.ts';
import type { ResourceRequest } from '../../../local/template/deploy-stack.ts';
import { parseTemplate } from '../../../local/template/template.ts';
import { freePorts } from '../../support/free-port.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../support/local-function.ts';

// Real processes and servers, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

/** Does to a custom resource what its property Does says; otherwise gives back its event. */
const CODE = `exports.handler = async (event) => {
  if (event.throws) throw new TypeError('no good');
  if (!event.ResponseURL) return event;
  const { Does } = event.ResourceProperties;
  if (Does === 'throw') throw new Error('out of order');
  if (Does === 'nothing') return;
  const answer = Does === 'fail'
    ? { Status: 'FAILED', Reason: 'the service said no' }
    : { Status: 'SUCCESS', PhysicalResourceId: 'made', Data: { Event: JSON.stringify(event) } };
  await fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(answer) });
};`;

let server: Server;
let url: string;
let hosted: LocalFunctionUnderTest;
let client: LambdaClient;
const functions = new FunctionRegistry();
let responses: ResponseInbox;

beforeAll(async () => {
  const port = await freePorts();
  url = `http://127.0.0.1:${port}`;
  hosted = hostFunction(CODE);
  functions.add({ definition: hosted.definition, arn: ARN, pool: hosted.pool });
  responses = new ResponseInbox(url);
  server = await startAwsEndpoint(port, { operations: new Map(), functions, responses });
  client = new LambdaClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  });
});

afterAll(async () => {
  client.destroy();
  await closeServer(server);
  await hosted.pool.stop();
});

describe('Invoke, through the AWS SDK', () => {
  it.each(['function-under-test', ARN])('runs the function %s', async (FunctionName) => {
    const answer = await client.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify({ a: [1, 'ü'] }) }),
    );
    expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST' });
    expect(answer.FunctionError).toBeUndefined();
    expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toEqual({ a: [1, 'ü'] });
  });

  it('tells the error of a function that throws', async () => {
    const Payload = JSON.stringify({ throws: true });
    const answer = await client.send(new InvokeCommand({ FunctionName: 'function-under-test', Payload }));
    expect(answer).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
    expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toMatchObject({
      errorType: 'TypeError',
      errorMessage: 'no good',
      trace: expect.any(Array),
    });
  });

  it.each([
    ['a function nobody knows', { FunctionName: 'nobody' }, 'ResourceNotFoundException'],
    [
      'a payload that is no JSON',
      { FunctionName: 'function-under-test', Payload: '{' },
      'InvalidRequestContentException',
    ],
    [
      'another way of invoking',
      { FunctionName: 'function-under-test', InvocationType: 'Event' },
      'InvalidParameterValueException',
    ],
  ] as const)('refuses %s', async (_, input, name) => {
    await expect(client.send(new InvokeCommand(input))).rejects.toMatchObject({ name });
  });
});

describe('a custom resource', () => {
  function request(properties: Record<string, unknown>): ResourceRequest {
    return {
      stack: { name: 'Registration', template: parseTemplate({}), assets: new Map() },
      logicalId: 'Webhook',
      type: 'Custom::Webhook',
      properties: { ServiceToken: ARN, ...properties },
    };
  }
  const create = (properties: Record<string, unknown>) =>
    customResourceCreator({ functions, responses })(request(properties));

  it('is created by its function, which gets the event of CloudFormation', async () => {
    const { ref, attributes } = await create({ Url: 'http://x', Count: 3, Deep: { on: true } });
    expect(ref).toBe('made');
    expect(JSON.parse(String(attributes?.Event))).toEqual({
      RequestType: 'Create',
      ServiceToken: ARN,
      ResponseURL: expect.stringContaining(url),
      StackId: expect.stringMatching(/^arn:aws:cloudformation:us-east-1:000000000000:stack\/Registration\//),
      RequestId: expect.any(String),
      ResourceType: 'Custom::Webhook',
      LogicalResourceId: 'Webhook',
      ResourceProperties: { ServiceToken: ARN, Url: 'http://x', Count: '3', Deep: { on: 'true' } },
    });
  });

  it.each([
    ['says that it failed', { Does: 'fail' }, 'the service said no'],
    ['throws', { Does: 'throw' }, 'out of order'],
    ['says nothing', { Does: 'nothing', ServiceTimeout: '1' }, 'no answer within 1 s'],
  ])('fails when its function %s', async (_, properties, reason) => {
    const created = create(properties);
    await expect(created).rejects.toThrow(CustomResourceError);
    await expect(created).rejects.toThrow(reason);
  });
});

it('says of anything else that it is not supported', async () => {
  const response = await fetch(`${url}/2015-03-31/functions/`);
  expect(response.status).toBe(404);
});
