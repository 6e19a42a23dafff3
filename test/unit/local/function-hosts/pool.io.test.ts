import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../../../tools/support/until.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../../support/local-lambda.ts';

const started: LocalFunctionUnderTest[] = [];

function host(...args: Parameters<typeof hostFunction>): LocalFunctionUnderTest {
  const hosted = hostFunction(...args);
  started.push(hosted);
  return hosted;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map(({ pool }) => pool.stop()));
});

describe('a function hosted in processes of its own', () => {
  it('receives its event and returns its answer', async () => {
    const { pool } = host('exports.handler = async (event) => ({ doubled: event.number * 2 });');
    expect(await pool.invoke({ number: 21 })).toEqual({ kind: 'ok', value: { doubled: 42 } });
  });

  it('may answer nothing, and need not be async', async () => {
    const { pool } = host('exports.handler = () => undefined;');
    expect(await pool.invoke({})).toEqual({ kind: 'ok', value: null });
  });

  it('has its declared environment and the variables of Lambda only', async () => {
    const code = 'exports.handler = async () => process.env;';
    const { pool, definition } = host(code, { environment: { DECLARED: 'yes' } });
    const outcome = await pool.invoke({});
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
    expect(environment).not.toHaveProperty('PATH');
    expect(environment).not.toHaveProperty('HOME');
    expect(environment).not.toHaveProperty('NODE_ENV');
  });

  it('receives a context like that of Lambda', async () => {
    const { pool } = host(`exports.handler = async (event, context) => ({
      ...context, remaining: context.getRemainingTimeInMillis() });`);
    const outcome = await pool.invoke({});
    expect(outcome).toMatchObject({
      value: {
        functionName: 'function-under-test',
        functionVersion: '$LATEST',
        invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test',
        memoryLimitInMB: '256',
        awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        remaining: expect.any(Number),
      },
    });
  });

  it('fails with the error that it throws, and continues in the same process', async () => {
    const { pool } = host(`let calls = 0; exports.handler = async () => {
      calls += 1; if (calls === 1) throw new TypeError('no good'); return calls; };`);
    expect(await pool.invoke({})).toMatchObject({
      kind: 'error',
      error: { errorType: 'TypeError', errorMessage: 'no good' },
    });
    expect(await pool.invoke({})).toEqual({ kind: 'ok', value: 2 });
  });

  it('fails when its answer is not JSON', async () => {
    const { pool } = host('exports.handler = async () => { const a = {}; a.a = a; return a; };');
    expect(await pool.invoke({})).toMatchObject({ kind: 'error', error: { errorType: 'TypeError' } });
  });

  it('is ended at its timeout and replaced', async () => {
    const code = `exports.handler = async ({ stuck }) => {
      if (stuck) require('node:fs').writeSync(1, 'stuck');
      while (stuck);
      return process.pid;
    };`;
    // The next event has as much time as it takes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { pool, log } = host(code, { timeoutSeconds: 1, limit: 1 });
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
    expect(await pool.invoke({ stuck: false })).toMatchObject({ kind: 'ok' });
    expect(log()).toContain('Task timed out after 1.00 seconds');
  });

  it('fails its event only when its process crashes', async () => {
    const { pool } = host(
      'exports.handler = async ({ crash }) => { if (crash) process.exit(3); return 1; };',
      {
        limit: 1,
      },
    );
    const [crashed, next] = await Promise.all([pool.invoke({ crash: true }), pool.invoke({ crash: false })]);
    expect(crashed).toMatchObject({
      kind: 'error',
      error: { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining('exit status 3') },
    });
    expect(next).toEqual({ kind: 'ok', value: 1 });
  });

  it('reports an uncaught error and is replaced', async () => {
    const { pool } = host(
      `exports.handler = ({ loose }) => loose
         ? new Promise(() => { setImmediate(() => { throw new RangeError('loose'); }); })
         : process.pid;`,
      { limit: 1 },
    );
    expect(await pool.invoke({ loose: true })).toMatchObject({
      kind: 'error',
      error: { errorType: 'RangeError', errorMessage: 'loose' },
    });
    expect(await pool.invoke({ loose: false })).toMatchObject({ kind: 'ok' });
  });

  it('fails its event when its process is killed from outside', async () => {
    const { pool, log } = host(
      "exports.handler = ({ wait }) => (wait ? (console.log('waiting'), new Promise(() => {})) : 1);",
      { limit: 1 },
    );
    const waiting = pool.invoke({ wait: true });
    await until('the handler runs', () => log().includes('waiting'));
    for (const pid of pool.pids) kill(pid, 'SIGKILL');
    expect(await waiting).toMatchObject({
      kind: 'error',
      error: { errorMessage: expect.stringContaining('SIGKILL') },
    });
    expect(await pool.invoke({ wait: false })).toEqual({ kind: 'ok', value: 1 });
  });

  it('fails each event with the error of a bundle that does not load, without starting processes forever', async () => {
    const { pool } = host("throw new Error('cannot load');", { limit: 2 });
    const outcomes = await Promise.all([pool.invoke({}), pool.invoke({}), pool.invoke({})]);
    expect(outcomes).toHaveLength(3);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ error: { errorMessage: 'cannot load' } });
    expect(pool.pids).toEqual([]);
  });

  it('rejects a handler with a callback, as the Node 24 runtime does', async () => {
    const { pool } = host('exports.handler = (event, context, callback) => callback(null, 1);');
    expect(await pool.invoke({})).toMatchObject({
      kind: 'error',
      error: { errorMessage: expect.stringContaining('callback') },
    });
  });

  it('runs one event at a time in each process, in at most its limit of processes', async () => {
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

  it('runs replaced code for later events, and finishes the current one with the old code', async () => {
    const code = (version: number) =>
      `exports.handler = async ({ wait }) => { while (wait && !require('node:fs').existsSync(wait)); return ${version}; };`;
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

  it('writes its output to its log', async () => {
    const { pool, log } = host("exports.handler = async () => { console.log('to the log'); };");
    await pool.invoke({});
    await until('the line is in the log', () => log().includes('to the log'));
  });
});
