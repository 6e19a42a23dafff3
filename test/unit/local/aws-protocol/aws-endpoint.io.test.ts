import type { Server } from 'node:http';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAwsEndpoint } from '../../../../local/aws-protocol/aws-endpoint.ts';
import { closeServer } from '../../../../local/aws-protocol/http.ts';
import type { ResourceRequest } from '../../../../local/cloudformation/deploy-stack.ts';
import { parseTemplate } from '../../../../local/cloudformation/template.ts';
import {
  CustomResourceError,
  customResourceCreator,
  ResponseInbox,
} from '../../../../local/services/custom-resources/resources.ts';
import { lambdaRoutes } from '../../../../local/services/lambda/api.ts';
import { AsyncInvocations, FunctionRegistry } from '../../../../local/services/lambda/functions.ts';
import { eventInvokeConfigCreator } from '../../../../local/services/lambda/resources.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';
import { until } from '../../../../tools/support/until.ts';
import { fakeRetryClock, hostFunction, type LocalFunctionUnderTest } from '../../../support/local-lambda.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

/** Does to a custom resource what its property Does says; otherwise gives back its event. */
const CODE = `exports.handler = async (event) => {
  if (event.prints) console.log(event.prints);
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
const clock = fakeRetryClock();
const notes: string[] = [];
const note = (line: string) => notes.push(line);
const asyncInvocations = new AsyncInvocations(clock, note);

beforeAll(async () => {
  const port = await freePorts();
  url = `http://127.0.0.1:${port}`;
  hosted = hostFunction(CODE);
  functions.add({ definition: hosted.definition, arn: ARN, pool: hosted.pool });
  responses = new ResponseInbox(url);
  server = await startAwsEndpoint(port, [
    { routes: lambdaRoutes({ functions, asyncInvocations }) },
    { routes: responses.routes },
  ]);
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

  it('answers the error of a function that throws', async () => {
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
    ['a function that does not exist', { FunctionName: 'missing' }, 'ResourceNotFoundException'],
    [
      'a payload that is no JSON',
      { FunctionName: 'function-under-test', Payload: '{' },
      'InvalidRequestContentException',
    ],
    [
      'another way of invoking',
      { FunctionName: 'function-under-test', InvocationType: 'DryRun' },
      'InvalidParameterValueException',
    ],
  ] as const)('refuses %s', async (_, input, name) => {
    await expect(client.send(new InvokeCommand(input))).rejects.toMatchObject({ name });
  });
});

describe('Invoke with the invocation type Event', () => {
  const FunctionName = 'function-under-test';
  const printed = (text: string): number =>
    hosted
      .log()
      .split('\n')
      .filter((line) => line === text).length;

  async function start(Payload: object) {
    const InvocationType = 'Event';
    const answer = await client.send(
      new InvokeCommand({ FunctionName, InvocationType, Payload: JSON.stringify(Payload) }),
    );
    expect(answer.StatusCode).toBe(202);
    expect(answer.Payload?.length ?? 0).toBe(0);
  }

  it('is answered before the function has run, and retried after one and two minutes', async () => {
    await start({ prints: 'first', throws: true });
    await until('it is dropped', () => notes.length === 1);
    expect(printed('first')).toBe(3);
    expect(clock.slept).toEqual([60_000, 120_000]);
    expect(notes).toEqual(['function-under-test: an event was dropped: no good']);
  });

  it.each([
    ['its attempts', { MaximumRetryAttempts: '1' }, 2],
    ['the age of its events', { MaximumEventAgeInSeconds: 90 }, 2],
    ['none at all', { MaximumRetryAttempts: 0 }, 1],
  ])('is retried as the settings of the function define: %s', async (name, properties, runs) => {
    const create = eventInvokeConfigCreator({ functions, asyncInvocations });
    await create({
      stack: { name: 'Pipeline', template: parseTemplate({}), assets: new Map() },
      logicalId: 'Config',
      type: 'AWS::Lambda::EventInvokeConfig',
      properties: { FunctionName, Qualifier: '$LATEST', ...properties },
    });
    const before = notes.length;
    await start({ prints: name, throws: true });
    await until('it is dropped', () => notes.length > before);
    expect(printed(name)).toBe(runs);
  });

  it('is not retried after the run ends', async () => {
    const ending = new AsyncInvocations({ now: () => 0, sleep: async () => false }, note);
    const before = notes.length;
    ending.start(functions.find(FunctionName), { prints: 'last', throws: true });
    await until('it ran', () => printed('last') === 1);
    // Whatever is invoked after it in the same way waits its turn.
    await hosted.pool.invoke({});
    expect(printed('last')).toBe(1);
    expect(notes).toHaveLength(before);
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
    customResourceCreator(functions, responses)(request(properties));

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

it('the endpoint answers 404 to every other request', async () => {
  const response = await fetch(`${url}/2015-03-31/functions/`);
  expect(response.status).toBe(404);
});
