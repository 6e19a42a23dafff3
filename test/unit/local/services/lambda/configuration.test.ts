import { LambdaClient } from '@aws-sdk/client-lambda';
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
  return { pool: ingest.pool, capture: switchOf(ingest.definition.name), missing: switchOf('missing') };
}

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
