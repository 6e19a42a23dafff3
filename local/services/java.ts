import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../user-error.ts';

const MINIMUM_VERSION = 17;

const INSTALL =
  'install one, for example from https://adoptium.net (macOS: brew install --cask temurin, Debian and Ubuntu: apt install default-jre-headless), or set JAVA_HOME';

/**
 * Finds the Java runtime that DynamoDB Local needs: in JAVA_HOME, else on the path. Returns its command.
 * @throws UserError when there is none, or only one that is too old
 */
export async function findJava(environment: NodeJS.ProcessEnv): Promise<string> {
  const command = environment.JAVA_HOME ? join(environment.JAVA_HOME, 'bin', 'java') : 'java';
  const version = await javaVersion(command);
  if (version === undefined) {
    throw new UserError(
      `no Java found (${command}): DynamoDB Local needs Java ${MINIMUM_VERSION} or newer; ${INSTALL}`,
    );
  }
  if (version < MINIMUM_VERSION) {
    throw new UserError(
      `Java ${version} is too old: DynamoDB Local needs ${MINIMUM_VERSION} or newer; ${INSTALL}`,
    );
  }
  return command;
}

/** The major version that `java -version` tells, or undefined if it can't be run. */
async function javaVersion(command: string): Promise<number | undefined> {
  try {
    const { stderr } = await promisify(execFile)(command, ['-version']);
    // "17.0.15", "21", and of old "1.8.0_202".
    const [, major, minor] = /version "(\d+)(?:\.(\d+))?/.exec(stderr) ?? [];
    return major === '1' ? Number(minor) : Number(major);
  } catch {
    return undefined;
  }
}
