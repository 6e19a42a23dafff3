import { LambdaClient, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import { createCaptureSwitch } from '../../../../../cli/target/stack/capture-switch.ts';
import { lambdaRoutes } from '../../../../../local/services/lambda/api.ts';
import { AsyncInvocations } from '../../../../../local/services/lambda/functions.ts';
import { inMemoryClient, listenerOf } from '../../../../support/in-memory-http.ts';
import { fakeRetryClock, inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';

function capturing(variables: Record<string, string>) {
  const ingest = inMemoryFunction();
  ingest.pool.setVariables(variables);
  const functions = registryOf(ingest);
  const asyncInvocations = new AsyncInvocations(fakeRetryClock(), () => {});
  const client = new LambdaClient(inMemoryClient(listenerOf(lambdaRoutes({ functions, asyncInvocations }))));
  const switchOf = (name: string) => createCaptureSwitch(client, name);
  const { name } = ingest.definition;
  return { client, name, pool: ingest.pool, capture: switchOf(name), missing: switchOf('missing') };
}

describe('the configuration of a function of the local run', () => {
  // Each user of the machine can send this request, and Node executes what NODE_OPTIONS names.
  it.each([
    { CAPTURE_UNTIL: '', NODE_OPTIONS: '--import=data:text/javascript,0' },
    { CAPTURE_UNTIL: '', LD_PRELOAD: '/nonexistent.so', NODE_OPTIONS: '--enable-source-maps' },
    { CAPTURE_UNTIL: '' },
    { CAPTURE_UNTIL: 'soon\0', NODE_OPTIONS: '--enable-source-maps' },
  ])('changes no variable but the end of the capture: %j', async (variables) => {
    const own = { CAPTURE_UNTIL: '', NODE_OPTIONS: '--enable-source-maps' };
    const { client, name, pool } = capturing(own);
    const change = new UpdateFunctionConfigurationCommand({
      FunctionName: name,
      Environment: { Variables: variables },
    });
    await expect(client.send(change)).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message:
        'On one machine only the environment variable CAPTURE_UNTIL can be changed, to a time, of a function that has it.',
    });
    expect(pool.variables).toEqual(own);
  });

  it('gets no end of a capture if the function has none', async () => {
    const { capture, pool } = capturing({});
    await expect(capture.set('2026-01-15T13:00:00.000Z')).rejects.toThrow('only the environment variable');
    expect(pool.variables).toEqual({});
  });
});

describe('the capture switch, on the function of the local run,', () => {
  it('sets one environment variable and keeps the others', async () => {
    const { pool, capture } = capturing({ WEBHOOK_URL: 'http://127.0.0.1', CAPTURE_UNTIL: '' });
    expect(await capture.until()).toBeUndefined();
    await capture.set('2026-01-15T13:00:00.000Z');
    expect(await capture.until()).toBe('2026-01-15T13:00:00.000Z');
    expect(pool.variables).toEqual({
      WEBHOOK_URL: 'http://127.0.0.1',
      CAPTURE_UNTIL: '2026-01-15T13:00:00.000Z',
    });
    await capture.set(undefined);
    expect(await capture.until()).toBeUndefined();
  });

  it('fails where there is no such function', async () => {
    await expect(capturing({}).missing.set(undefined)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
