import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FunctionDefinition } from '../../local/lambda/environment.ts';
import { hostEnvironment } from '../../local/lambda/environment.ts';
import { HostPool } from '../../local/lambda/pool.ts';

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
