import {
  DeleteFunctionConcurrencyCommand,
  InvokeCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { type LambdaEndpoint, startLambdaEndpoint } from '../../../support/local-lambda.ts';

const FunctionName = 'function-under-test';
const metrics = z.object({ functions: z.record(z.string(), z.unknown()) });
const code = 'exports.handler = async ({ throws }) => { if (throws) throw new Error("no good"); };';

let endpoint: LambdaEndpoint;
let client: LambdaClient;

beforeAll(async () => {
  endpoint = await startLambdaEndpoint(code);
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  client = new LambdaClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
});

afterAll(async () => {
  client.destroy();
  await endpoint.stop();
});

const invoke = (payload: object) =>
  client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) }));
const counts = async () => {
  const answer = await fetch(`${endpoint.url}/local/lambda/metrics`);
  return metrics.parse(await answer.json()).functions[FunctionName];
};

it('the metrics separate invocations, errors and throttles, as Lambda does in CloudWatch', async () => {
  await invoke({});
  await invoke({ throws: true });
  expect(await counts()).toEqual({
    invocations: 2,
    errors: 1,
    throttles: 0,
    running: 0,
    iteratorAgeMs: null,
    doubled: 0,
    // Whole milliseconds, and at least one for each of the two.
    billedMs: expect.toSatisfy((ms: number) => Number.isInteger(ms) && ms >= 2),
  });

  await client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
  await expect(invoke({})).rejects.toMatchObject({ name: 'TooManyRequestsException' });
  expect(await counts()).toMatchObject({ invocations: 2, errors: 1, throttles: 1, running: 0 });

  await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  await invoke({});
  expect(await counts()).toMatchObject({ invocations: 3, errors: 1, throttles: 1 });
});

it('PutFunctionConcurrency rejects every number except 0, and an unknown function', async () => {
  const reserve = (name: string, ReservedConcurrentExecutions: number) =>
    client.send(new PutFunctionConcurrencyCommand({ FunctionName: name, ReservedConcurrentExecutions }));
  await expect(reserve(FunctionName, 5)).rejects.toMatchObject({ name: 'InvalidParameterValueException' });
  await expect(reserve('missing', 0)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  expect((await invoke({})).FunctionError).toBeUndefined();
});
