import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RuntimeApi, startRuntimeApi } from '../../../../../tools/bench/cold-start/runtime-api.ts';

let api: RuntimeApi;
beforeEach(async () => {
  api = await startRuntimeApi();
});
afterEach(() => api.stop());

const call = (path: string, init?: RequestInit) =>
  fetch(`http://${api.address}/2018-06-01/runtime/${path}`, init);
const post = (path: string, body: string) => call(path, { method: 'POST', body });

/** Receives one event and reports its result, as a runtime does. */
async function takeAndReport(report: 'response' | 'error', body: string): Promise<unknown> {
  const next = await call('invocation/next');
  const id = next.headers.get('lambda-runtime-aws-request-id');
  const event = await next.json();
  const { status } = await post(`invocation/${id}/${report}`, body);
  expect(status).toBe(202);
  return event;
}

describe('the Runtime API', () => {
  it('passes an event on request, and returns the answer with its duration', async () => {
    for (const number of [1, 2]) {
      const asked = takeAndReport('response', `{"statusCode":20${number}}`);
      const before = performance.now();
      const { ms, body } = await api.invoke(`{"number":${number}}`);
      expect(body).toBe(`{"statusCode":20${number}}`);
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(performance.now() - before);
      expect(await asked).toEqual({ number });
    }
  });

  it('reports the time of the first request of the process', async () => {
    const before = performance.now();
    const asked = takeAndReport('response', '{}');
    const at = await api.polled();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(performance.now());
    await api.invoke('{}');
    await asked;
  });

  it('fails an event that the process failed', async () => {
    const asked = takeAndReport('error', '{"errorType":"Broken"}');
    await expect(api.invoke('{}')).rejects.toThrow('Broken');
    await asked;
  });

  it('fails waiting events when the process could not start', async () => {
    await post('init/error', '{"errorType":"NoHandler"}');
    await expect(api.polled()).rejects.toThrow('NoHandler');
    await expect(api.invoke('{}')).rejects.toThrow('NoHandler');
  });
});
