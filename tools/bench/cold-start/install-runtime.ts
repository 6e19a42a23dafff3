import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

/** Thrown where the runtime client cannot be made on this machine; the message says what it takes. */
class RuntimeInstallError extends Error {
  override readonly name = 'RuntimeInstallError';
}

const pinned = join(import.meta.dirname, 'runtime');
const files = ['package.json', 'package-lock.json'];

/**
 * Installs Lambda's own runtime client for Node.js, `aws-lambda-ric`, as runtime/package-lock.json pins it, unless the folder has just
 * that. It is no dependency of this repository: its native part is built from sources that it brings along, which takes a minute.
 *
 * @param folder to install into; what else is in it goes
 * @returns the program to run with Node.js
 * @throws RuntimeInstallError
 */
export async function installRuntime(folder: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const client = join(folder, 'node_modules', 'aws-lambda-ric');
  const program = join(client, 'index.mjs');
  if (isInstalled(folder) && existsSync(join(client, 'rapid-client.node'))) return program;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of files) cpSync(join(pinned, file), join(folder, file));
  const problem = await npmCi(folder, signal);
  // Elsewhere than on Linux its scripts do nothing, and say that they succeeded.
  const isBuilt = problem === undefined && existsSync(join(client, 'rapid-client.node'));
  if (isBuilt) return program;
  rmSync(folder, { recursive: true, force: true });
  signal.throwIfAborted();
  throw new RuntimeInstallError(
    `aws-lambda-ric could not be built, which takes Linux, cmake, g++, make, python3 and xz (Debian: apt-get install cmake g++ make python3 xz-utils): ${problem ?? 'it has no native part'}`,
  );
}

/** @returns what went wrong, in a line; undefined where nothing did */
async function npmCi(folder: string, signal: AbortSignal): Promise<string | undefined> {
  // A process group of its own: compilers must not outlive it.
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: { ...process.env, ...headersAtHand() },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const end = () => {
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', end);
  try {
    const [said, [code]] = await Promise.all([text(npm.stderr), once(npm, 'exit')]);
    return code === 0 ? undefined : causeIn(said);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Returns the line with the failure from the output of npm and the build. */
function causeIn(said: string): string {
  const lines = said.split('\n').map((line) => line.replace(/^npm error\s*/, '').trim());
  const first = lines.find((line) => /\berror: /i.test(line));
  return first ?? lines.findLast((line) => line !== '') ?? 'npm ci failed';
}

function isInstalled(folder: string): boolean {
  return files.every(
    (file) =>
      existsSync(join(folder, file)) &&
      readFileSync(join(folder, file)).equals(readFileSync(join(pinned, file))),
  );
}

/** The npm package `node` brings the headers of its version along, so that node-gyp need not fetch them. */
function headersAtHand(): Record<string, string> {
  const distribution = resolve(
    dirname(process.execPath),
    `../node_modules/node-${process.platform}-${process.arch}`,
  );
  return existsSync(join(distribution, 'include/node/node_api.h'))
    ? { npm_config_nodedir: distribution }
    : {};
}
