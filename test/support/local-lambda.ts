import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arnOf } from '../../local/aws-protocol/call.ts';
import { type FunctionDefinition, hostEnvironment } from '../../local/function-hosts/environment.ts';
import { HostPool } from '../../local/function-hosts/pool.ts';
import type { Outcome } from '../../local/function-hosts/protocol.ts';
import {
  FunctionRegistry,
  type LocalFunction,
  type RetryClock,
} from '../../local/services/lambda/functions.ts';

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
const defaultTimeoutSeconds = 90;

const functionArn = (name: string) => arnOf('lambda', `function:${name}`);

function definitionIn(codeDirectory: string): FunctionDefinition {
  return {
    name: 'function-under-test',
    label: 'function-under-test',
    accessKeyId: 'FunctionUnderTest',
    codeDirectory,
    handler: 'index.handler',
    timeoutSeconds: defaultTimeoutSeconds,
    memoryMegabytes: 256,
    environment: {},
  };
}

/** A function with code of a few lines, in a folder of its own. */
export interface LocalFunctionUnderTest extends LocalFunction {
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
  const { timeoutSeconds = defaultTimeoutSeconds, environment = {} } = options;
  const definition = { ...definitionIn(directory), timeoutSeconds, environment };
  const logFile = join(directory, 'function.log');
  const pool = new HostPool({
    definition,
    environment: hostEnvironment(definition, { SQS: 'http://127.0.0.1:1' }),
    limit: options.limit ?? 2,
    logFile,
    runId: 'test',
    watch: () => () => {},
  });
  return { pool, definition, arn: functionArn(definition.name), log: () => readFileSync(logFile, 'utf8') };
}

/** A pool that runs its function in this process. */
class InMemoryPool extends HostPool {
  readonly events: unknown[] = [];
  readonly clockOffsetsMs: (number | undefined)[] = [];
  readonly #handler: (event: never) => unknown;

  constructor(options: ConstructorParameters<typeof HostPool>[0], handler: (event: never) => unknown) {
    super(options);
    this.#handler = handler;
  }

  override async invoke(event: unknown, clockOffsetMs?: number): Promise<Outcome> {
    this.clockOffsetsMs.push(clockOffsetMs);
    const copy: unknown = JSON.parse(JSON.stringify(event));
    this.events.push(copy);
    try {
      return { kind: 'ok', value: await this.#handler(copy as never) };
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      return { kind: 'error', error: { errorType: name, errorMessage: message } };
    }
  }
}

export interface InMemoryFunction extends LocalFunction {
  /** The events that it was invoked with. */
  readonly events: unknown[];
  /** How far the clock was to be ahead in each of them. */
  readonly clockOffsetsMs: (number | undefined)[];
}

/**
 * A function without a process, for tests whose subject is what invokes it.
 * @param handler returns its answer, or throws
 */
export function inMemoryFunction(
  handler: (event: never) => unknown = () => null,
  name = 'function-under-test',
): InMemoryFunction {
  const definition: FunctionDefinition = { ...definitionIn(tmpdir()), name, label: name };
  const pool = new InMemoryPool(
    { definition, environment: {}, limit: 2, logFile: '/dev/null', runId: 'test', watch: () => () => {} },
    handler,
  );
  return {
    definition,
    pool,
    arn: functionArn(name),
    events: pool.events,
    clockOffsetsMs: pool.clockOffsetsMs,
  };
}

/** The function of a test that has one. */
export function registryOf(...functions: readonly LocalFunction[]): FunctionRegistry {
  const registry = new FunctionRegistry();
  for (const each of functions) registry.add(each);
  return registry;
}
