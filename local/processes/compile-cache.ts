import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Node reads the folder of its compile cache from this variable. */
const VARIABLE = 'NODE_COMPILE_CACHE';

type Environment = Record<string, string | undefined>;

/**
 * Makes this process and those that inherit its environment keep the code that Node compiles, so that the next run starts with less work. The
 * cache is in node_modules, which an installation replaces. An app without that folder gets none. A cache that the caller chose is used as it is.
 *
 * @param environment of this process; changed
 */
export function cacheCompiledCode(
  projectDirectory: string,
  environment: Environment,
  enable: (directory: string) => void = enableCompileCache,
): void {
  // Node enables the caller's cache itself. The coverage of cached code is less exact.
  if (environment[VARIABLE] !== undefined || environment.NODE_V8_COVERAGE !== undefined) return;
  const modules = join(projectDirectory, 'node_modules');
  if (!existsSync(modules)) return;
  const directory = join(modules, '.cache', 'sms-event-pipeline');
  environment[VARIABLE] = directory;
  enable(directory);
}

/** The variable with which a process uses the cache of its parent, for a process that inherits nothing else. */
export function compileCacheVariable(environment: Readonly<Environment>): Record<string, string> {
  const directory = environment[VARIABLE];
  return directory === undefined ? {} : { [VARIABLE]: directory };
}

/** Hides the cache from the code that this process hosts. */
export function hideCompileCache(environment: Environment): void {
  delete environment[VARIABLE];
}
