import { afterEach, expect, it } from 'vitest';
import { until } from '../../../../../tools/support/until.ts';
import {
  defaultTimeoutSeconds,
  type LambdaEndpoint,
  startLambdaEndpoint,
} from '../../../../support/local-lambda.ts';

const LABEL = 'function-under-test';
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = defaultTimeoutSeconds * 1000;

let endpoint: LambdaEndpoint;

afterEach(() => endpoint.stop());

/** Hosts a function, with the control of its faults. */
async function start(code: string, limit?: number) {
  endpoint = await startLambdaEndpoint(code, limit);
  const url = `${endpoint.url}/local/lambda/faults`;
  const put = async (body: object) => {
    const answer = await fetch(url, { method: 'PUT', body: JSON.stringify(body) });
    const answered: unknown = await answer.json();
    return { status: answer.status, body: answered };
  };
  const get = async (): Promise<unknown> => (await fetch(url)).json();
  return { pool: endpoint.pool, put, get };
}

it('a fault invokes the function twice concurrently with the same event, and the first outcome counts', async () => {
  // Each waits until as many have begun as are expected: alone, the first would time out.
  const { pool, put } = await start(`const { appendFileSync, readFileSync } = require('node:fs');
    exports.handler = async (event) => {
      const file = __dirname + '/runs';
      appendFileSync(file, event.name + '\\n');
      const runs = () => readFileSync(file, 'utf8').trim().split('\\n');
      while (runs().length < event.expected) await new Promise((next) => setImmediate(next));
      return runs();
    };`);
  await put({ functions: { [LABEL]: { invokeTwice: true } } });
  expect(await pool.invoke({ name: 'a', expected: 2 })).toEqual({ kind: 'ok', value: ['a', 'a'] });
  await put({ functions: {} });
  expect(await pool.invoke({ name: 'b', expected: 3 })).toEqual({ kind: 'ok', value: ['a', 'a', 'b'] });
  expect(pool.metrics.counts).toMatchObject({ invocations: 3, doubled: 1 });
});

it('the first outcome is returned without waiting for the second', async () => {
  const { pool, put } = await start(`const { openSync } = require('node:fs');
    exports.handler = async () => {
      try { openSync(__dirname + '/first', 'wx'); } catch { return new Promise(() => {}); }
      return 'first';
    };`);
  await put({ functions: { [LABEL]: { invokeTwice: true } } });
  expect(await pool.invoke({})).toEqual({ kind: 'ok', value: 'first' });
});

/** Answers the clock as a handler may read it, and its remaining time. */
const CLOCK = `const kept = Date.now;
  exports.handler = async (event, context) => {
    await new Promise((done) => setTimeout(done, 1));
    const date = new Date();
    class Mine extends Date {}
    return {
      pid: process.pid,
      times: [Date.now(), kept(), date.getTime(), Date.parse(Date()), new Mine().getTime()],
      given: [new Date(5).getTime(), new Date('2026-01-14T08:00:00Z').toISOString(), new Date(2026, 0).getMonth()],
      isDate: [date instanceof Date, date.constructor === Date, new Mine() instanceof Mine, Date.UTC(1970, 0)],
      remaining: context.getRemainingTimeInMillis(),
    };
  };`;

it.each([HOUR_MS, -400 * 24 * HOUR_MS])(
  'a fault moves the clock of running and new hosts by %i ms, and leaves timers and deadlines unchanged',
  async (clockOffsetMs) => {
    const { pool, put } = await start(CLOCK, 1);
    const readClocks = async () => {
      const before = Date.now();
      const outcome = await pool.invoke({});
      return { before, after: Date.now(), ...Object(outcome.kind === 'ok' ? outcome.value : outcome.error) };
    };
    const expectShift = (seen: Awaited<ReturnType<typeof readClocks>>, ms: number) => {
      for (const time of seen.times) {
        // Date() has whole seconds.
        expect(time).toBeGreaterThanOrEqual(seen.before + ms - 1000);
        expect(time).toBeLessThanOrEqual(seen.after + ms);
      }
      expect(seen.given).toEqual([5, '2026-01-14T08:00:00.000Z', 0]);
      expect(seen.isDate).toEqual([true, true, true, 0]);
      expect(seen.remaining).toBeGreaterThan(0);
      expect(seen.remaining).toBeLessThanOrEqual(TIMEOUT_MS);
    };

    const normal = await readClocks();
    expectShift(normal, 0);
    await put({ functions: { [LABEL]: { clockOffsetMs } } });
    const shifted = await readClocks();
    expectShift(shifted, clockOffsetMs);
    expect(shifted.pid).toBe(normal.pid);

    process.kill(shifted.pid, 'SIGKILL');
    await until('the process has ended', () => pool.pids.length === 0);
    const replaced = await readClocks();
    expect(replaced.pid).not.toBe(shifted.pid);
    expectShift(replaced, clockOffsetMs);

    await put({ functions: {} });
    expectShift(await readClocks(), 0);
  },
);

it('the endpoint shows the faults, and reports invalid ones', async () => {
  const { put, get } = await start('exports.handler = async () => 1;');
  const inForce = { functions: { [LABEL]: { invokeTwice: true, clockOffsetMs: 0 } } };
  expect(await get()).toEqual({ functions: {} });
  expect(await put({ functions: { [LABEL]: { invokeTwice: true } } })).toEqual({
    status: 200,
    body: inForce,
  });
  expect(await put({ functions: { [LABEL]: {}, missing: {} } })).toEqual({
    status: 404,
    body: { message: `no function missing; there are ${LABEL}` },
  });
  expect(await put({ functions: { [LABEL]: { clockOffsetMs: 0.5 } } })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`functions.${LABEL}.clockOffsetMs`) },
  });
  expect(await get()).toEqual(inForce);
});
