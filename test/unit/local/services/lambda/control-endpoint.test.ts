import { expect, it } from 'vitest';
import { lambdaRoutes } from '../../../../../local/services/lambda/api.ts';
import { AsyncInvocations } from '../../../../../local/services/lambda/functions.ts';
import { callListener, listenerOf } from '../../../../support/in-memory-http.ts';
import { fakeRetryClock, inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';

const label = 'function-under-test';

/** The control of one function. */
function control() {
  const target = inMemoryFunction();
  const asyncInvocations = new AsyncInvocations(fakeRetryClock(), () => {});
  const routes = lambdaRoutes({ functions: registryOf(target), asyncInvocations });
  const call = async (method: string, path: string, body?: object) => {
    const { status, json } = await callListener(listenerOf(routes), {
      method,
      path,
      body: JSON.stringify(body),
    });
    return { status, body: json };
  };
  return { target, call };
}

it('a reserved concurrency of 0 throttles a function until it is deleted, and no other is supported', async () => {
  const { call, target } = control();
  const reserve = (name: string, ReservedConcurrentExecutions: number) =>
    call('PUT', `/2017-10-31/functions/${name}/concurrency`, { ReservedConcurrentExecutions });
  expect(await reserve(label, 5)).toMatchObject({ status: 400 });
  expect(await reserve('missing', 0)).toMatchObject({ status: 404 });
  expect(target.pool.isThrottled).toBe(false);
  expect(await reserve(label, 0)).toEqual({ status: 200, body: { ReservedConcurrentExecutions: 0 } });
  expect(target.pool.isThrottled).toBe(true);
  await call('DELETE', `/2017-10-31/functions/${label}/concurrency`);
  expect(target.pool.isThrottled).toBe(false);
});
