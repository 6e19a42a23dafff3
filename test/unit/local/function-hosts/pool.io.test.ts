import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../../../tools/support/until.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../../support/local-lambda.ts';

/** Does what its event says, and counts its calls. */
const OBEYS = `let calls = 0;
  exports.handler = async (event, context) => {
    calls += 1;
    if (event.prints) console.log(event.prints);
    if (event.double) return { doubled: event.double * 2 };
    if (event.environment) return process.env;
    if (event.context) return { ...context, remaining: context.getRemainingTimeInMillis() };
    if (event.throws) throw new TypeError('no good');
    if (event.circular) { const a = {}; a.a = a; return a; }
    if (event.calls) return calls;
    if (event.exits) process.exit(3);
    if (event.loose) return new Promise(() => { setImmediate(() => { throw new RangeError('loose'); }); });
    if (event.waits) return new Promise(() => {});
    if (event.stuck) { require('node:fs').writeSync(1, 'stuck'); for (;;); }
  };`;

const started: LocalFunctionUnderTest[] = [];

function host(...args: Parameters<typeof hostFunction>): LocalFunctionUnderTest {
  const hosted = hostFunction(...args);
  started.push(hosted);
  return hosted;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map(({ pool }) => pool.stop()));
});

describe('a function hosted in a process of its own', () => {
  const { pool, definition, log } = hostFunction(OBEYS, { limit: 1, environment: { DECLARED: 'yes' } });
  afterAll(() => pool.stop());

  it('receives its event and returns its answer, or nothing', async () => {
    expect(await pool.invoke({ double: 21 })).toEqual({ kind: 'ok', value: { doubled: 42 } });
    expect(await pool.invoke({})).toEqual({ kind: 'ok', value: null });
  });

  it('has its declared environment and the variables of Lambda only', async () => {
    const outcome = await pool.invoke({ environment: true });
    const environment = outcome.kind === 'ok' ? outcome.value : undefined;
    expect(environment).toMatchObject({
      DECLARED: 'yes',
      AWS_ACCESS_KEY_ID: 'FunctionUnderTest',
      AWS_LAMBDA_FUNCTION_NAME: definition.name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1',
      LAMBDA_TASK_ROOT: definition.codeDirectory,
      TZ: ':UTC',
      _HANDLER: 'index.handler',
    });
    for (const name of ['PATH', 'HOME', 'NODE_ENV']) expect(environment).not.toHaveProperty(name);
  });

  it('fails with the error that it throws or an answer that is not JSON, and continues in the same process', async () => {
    const pids = pool.pids;
    expect(await pool.invoke({ throws: true })).toMatchObject({
      kind: 'error',
      error: { errorType: 'TypeError', errorMessage: 'no good' },
    });
    expect(await pool.invoke({ circular: true })).toMatchObject({ error: { errorType: 'TypeError' } });
    expect(await pool.invoke({ calls: true })).toEqual({ kind: 'ok', value: expect.any(Number) });
    expect(pool.pids).toEqual(pids);
  });

  it('fails its event only when its process crashes, and is replaced', async () => {
    const [crashed, next] = await Promise.all([pool.invoke({ exits: true }), pool.invoke({ calls: true })]);
    expect(crashed).toMatchObject({
      kind: 'error',
      error: { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining('exit status 3') },
    });
    expect(next).toEqual({ kind: 'ok', value: 1 });
  });

  it('reports an uncaught error and is replaced', async () => {
    expect(await pool.invoke({ loose: true })).toMatchObject({
      kind: 'error',
      error: { errorType: 'RangeError', errorMessage: 'loose' },
    });
    expect(await pool.invoke({ calls: true })).toEqual({ kind: 'ok', value: 1 });
  });

  it('fails its event when its process is killed from outside', async () => {
    const waiting = pool.invoke({ prints: 'waiting', waits: true });
    await until('the handler runs', () => log().includes('waiting'));
    for (const pid of pool.pids) kill(pid, 'SIGKILL');
    expect(await waiting).toMatchObject({ error: { errorMessage: expect.stringContaining('SIGKILL') } });
    expect(await pool.invoke({ calls: true })).toEqual({ kind: 'ok', value: 1 });
  });

  it('counts invocations, errors and throttles apart, as Lambda does in CloudWatch', async () => {
    const before = pool.metrics.counts;
    await pool.invoke({});
    await pool.invoke({ throws: true });
    pool.isThrottled = true;
    expect(await pool.invoke({})).toMatchObject({ error: { errorType: 'TooManyRequestsException' } });
    pool.isThrottled = false;
    expect(pool.metrics.counts).toEqual({
      ...before,
      invocations: before.invocations + 2,
      errors: before.errors + 1,
      throttles: before.throttles + 1,
      // Whole milliseconds, and at least one for each of the two.
      billedMs: expect.toSatisfy((ms: number) => Number.isInteger(ms) && ms >= before.billedMs + 2),
    });
  });
});

describe('the processes of a function', () => {
  it('are ended at the timeout and replaced', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { pool, log } = host(OBEYS, { timeoutSeconds: 1, limit: 1 });
    const stuck = pool.invoke({ stuck: true });
    await until('it is stuck', () => log().includes('stuck'));
    vi.advanceTimersByTime(1000);
    expect(await stuck).toMatchObject({
      kind: 'error',
      error: {
        errorType: 'Sandbox.Timedout',
        errorMessage: expect.stringMatching(/^RequestId: .{36} Error: Task timed out after 1\.00 seconds$/),
      },
    });
    // The next event has as much time as it takes: the clock stands still.
    expect(await pool.invoke({})).toMatchObject({ kind: 'ok' });
    expect(log()).toContain('Task timed out after 1.00 seconds');
  });

  it('are not started forever for a bundle that does not load: each event fails with its error', async () => {
    const { pool } = host("throw new Error('cannot load');", { limit: 2 });
    const outcomes = await Promise.all([pool.invoke({}), pool.invoke({}), pool.invoke({})]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ error: { errorMessage: 'cannot load' } });
    expect([outcomes.length, pool.pids]).toEqual([3, []]);
  });

  it('run one event at a time each, and are at most as many as their limit', async () => {
    const { pool } = host(
      `let running = 0;
       exports.handler = async () => {
         running += 1;
         await new Promise((resolve) => setTimeout(resolve, 20));
         const seen = running; running -= 1;
         return { seen, pid: process.pid };
       };`,
      { limit: 2 },
    );
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => pool.invoke({})));
    const results = outcomes.map((outcome) => (outcome.kind === 'ok' ? outcome.value : outcome.error));
    expect(results).toEqual(Array(8).fill({ seen: 1, pid: expect.any(Number) }));
    expect(pool.pids).toHaveLength(2);
  });

  it('run replaced code for later events, and finish the current one with the old code', async () => {
    const code = (version: number) =>
      `const { existsSync } = require('node:fs');
       exports.handler = async ({ wait }) => {
         while (wait && !existsSync(wait)) await new Promise((next) => setTimeout(next, 5));
         return ${version};
       };`;
    const { pool, definition } = host(code(1), { limit: 2 });
    const file = join(definition.codeDirectory, 'go-on');
    const atWork = pool.invoke({ wait: file });
    expect(await pool.invoke({})).toEqual({ kind: 'ok', value: 1 });
    writeFileSync(join(definition.codeDirectory, 'index.js'), code(2));
    pool.replaceHosts();
    expect(await pool.invoke({})).toEqual({ kind: 'ok', value: 2 });
    writeFileSync(file, '');
    expect(await atWork).toEqual({ kind: 'ok', value: 1 });
    await until('the process before is gone', async () => pool.pids.length === 1 || undefined);
    expect(await pool.invoke({})).toEqual({ kind: 'ok', value: 2 });
  });

  it('run an event at a time of its own, and the next one at the time that the faults say', async () => {
    const { pool } = host('exports.handler = async () => Date.now();', { limit: 1 });
    const hourMs = 3_600_000;
    const hoursAhead = async (clockOffsetMs?: number) => {
      const outcome = await pool.invoke({}, clockOffsetMs);
      if (outcome.kind !== 'ok') return outcome.error;
      // The answer may be a millisecond old: half an hour more keeps -0 out.
      return Math.floor((Number(outcome.value) - Date.now()) / hourMs + 0.5);
    };
    expect(await hoursAhead(-720 * hourMs)).toBe(-720);
    expect(await hoursAhead()).toBe(0);
    pool.setFaults({ invokeTwice: false, clockOffsetMs: 2 * hourMs });
    expect(await hoursAhead(-3 * hourMs)).toBe(-3);
    expect(await hoursAhead()).toBe(2);
  });
});
