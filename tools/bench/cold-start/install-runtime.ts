import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

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
export async function installRuntime(folder: string): Promise<string> {
  const client = join(folder, 'node_modules', 'aws-lambda-ric');
  const program = join(client, 'index.mjs');
  // Elsewhere than on Linux the build does nothing, and says that it succeeded.
  const isBuilt = () => existsSync(join(client, 'rapid-client.node'));
  if (isPinned(folder) && isBuilt()) return program;
  console.error('building the Lambda runtime client takes a minute');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of files) cpSync(join(pinned, file), join(folder, file));
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: { ...process.env, ...headersAtHand() },
    encoding: 'utf8',
  });
  if (status === 0 && isBuilt()) return program;
  rmSync(folder, { recursive: true, force: true });
  throw new RuntimeInstallError(
    `${stderr}\naws-lambda-ric could not be built, which takes Linux, cmake, g++, make, python3 and xz (Debian: apt-get install cmake g++ make python3 xz-utils)`,
  );
}

function isPinned(folder: string): boolean {
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
