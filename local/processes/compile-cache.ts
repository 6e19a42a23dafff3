import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { requireOwnFolder } from '../../contract/document/own-file-store.ts';

/** Node reads the folder of its compile cache from this variable. */
const VARIABLE = 'NODE_COMPILE_CACHE';

type Environment = Record<string, string | undefined>;

/**
 * Makes this process and those that inherit its environment keep the code that Node compiles, so that the next start has less work. A cache
 * that the caller chose is used as it is.
 *
 * Node executes what the cache holds, and its own folder is a shared one for temporary files, where another user could put code. So the cache
 * is in the caches of this user. If others can write there, nothing is kept.
 *
 * @param environment of this process; changed
 */
export function cacheCompiledCode(environment: Environment): void {
  // Node enables the caller's cache itself. The coverage of cached code is less exact.
  if (environment[VARIABLE] !== undefined || environment.NODE_V8_COVERAGE !== undefined) return;
  const { XDG_CACHE_HOME: caches = '' } = environment;
  let folder: string;
  try {
    // A user without a home has no caches.
    folder = join(isAbsolute(caches) ? caches : join(homedir(), '.cache'), 'sms-event-pipeline');
    if (!isAbsolute(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    requireOwnFolder(folder);
  } catch {
    // A slower start is no reason to stop.
    return;
  }
  environment[VARIABLE] = folder;
  // Node 22.8 and newer can.
  module.enableCompileCache?.(folder);
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
