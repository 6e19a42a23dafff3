import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAwsEndpoint } from '../../local/aws-protocol/aws-endpoint.ts';
import { closeServer } from '../../local/aws-protocol/http.ts';
import { type FunctionDefinition, hostEnvironment } from '../../local/function-hosts/environment.ts';
import { HostPool } from '../../local/function-hosts/pool.ts';
import { lambdaRoutes } from '../../local/services/lambda/api.ts';
import {
  AsyncInvocations,
  FunctionRegistry,
  type RetryClock,
} from '../../local/services/lambda/functions.ts';
import { freePorts } from '../../tools/support/free-port.ts';

/** A clock on which a pause is over at once, and its time has passed. */
export interface FakeRetryClock extends RetryClock {
  /** The pauses so far, in milliseconds. */
  readonly slept: number[];
  advance(ms: number): void;
}

/** @param startMs milliseconds since the epoch */
export function fakeRetryClock(startMs = Date.UTC(2026, 0, 15, 12)): FakeRetryClock {
  const slept: number[] = [];
  let now = startMs;
  return {
    slept,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
      return true;
    },
  };
}

/** Ends a function that hangs; long enough for one on a machine with much else to do. */
export const defaultTimeoutSeconds = 90;

/** A function with code of a few lines, in a folder of its own. */
export interface LocalFunctionUnderTest {
  readonly pool: HostPool;
  readonly definition: FunctionDefinition;
  /** What the function printed so far. */
  log(): string;
}

/**
 * Hosts a function just as a local run does.
 * @param code CommonJS that sets `exports.handler`
 */
export function hostFunction(
  code: string,
  options: { limit?: number; timeoutSeconds?: number; environment?: Record<string, string> } = {},
): LocalFunctionUnderTest {
  const directory = mkdtempSync(join(tmpdir(), 'local-function-'));
  writeFileSync(join(directory, 'index.js'), code);
  const definition: FunctionDefinition = {
    name: 'function-under-test',
    label: 'function-under-test',
    accessKeyId: 'FunctionUnderTest',
    codeDirectory: directory,
    handler: 'index.handler',
    timeoutSeconds: options.timeoutSeconds ?? defaultTimeoutSeconds,
    memoryMegabytes: 256,
    environment: options.environment ?? {},
  };
  const logFile = join(directory, 'function.log');
  const pool = new HostPool({
    definition,
    environment: hostEnvironment(definition, { SQS: 'http://127.0.0.1:1' }),
    limit: options.limit ?? 2,
    logFile,
    runId: 'test',
    watch: () => () => {},
  });
  return { pool, definition, log: () => readFileSync(logFile, 'utf8') };
}

/** The Lambda endpoint of a local run, with one function behind it. */
export interface LambdaEndpoint {
  readonly pool: HostPool;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts it on a free port.
 * @param code CommonJS that sets `exports.handler`
 * @param limit processes of the function at most
 */
export async function startLambdaEndpoint(code: string, limit = 2): Promise<LambdaEndpoint> {
  const { pool, definition } = hostFunction(code, { limit });
  const functions = new FunctionRegistry();
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:${definition.name}`;
  functions.add({ definition, arn, pool });
  const port = await freePorts();
  const url = `http://127.0.0.1:${port}`;
  const asyncInvocations = new AsyncInvocations(fakeRetryClock(), () => {});
  const server = await startAwsEndpoint(port, [{ routes: lambdaRoutes({ functions, asyncInvocations }) }]);
  const stop = async () => {
    await closeServer(server);
    await pool.stop();
  };
  return { pool, url, stop };
}
