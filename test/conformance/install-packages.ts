import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { loopbackUrl } from '../../local/aws-protocol/http.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL that answers 200 once the libraries of providers are installed, and 500 with the reason if they cannot be. */
    packages: string;
  }
}

const folder = import.meta.dirname;

/**
 * Installs the libraries of providers, unless they are there in the versions of the lockfile. Their install scripts do not run. The tests of other
 * projects begin meanwhile: the installation takes 20 seconds, most of them waiting for the registry.
 */
export default async function installPackages({ provide }: TestProject): Promise<() => Promise<void>> {
  const installation = areInstalled() ? Promise.resolve() : install();
  const failure = installation.then(
    () => undefined,
    (error) => String(error),
  );
  const server = createServer(async (_, response) => {
    const reason = await failure;
    response.writeHead(reason === undefined ? 200 : 500).end(reason);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  provide('packages', loopbackUrl((server.address() as AddressInfo).port));
  return async () => {
    await failure;
    server.closeAllConnections();
    server.close();
  };
}

async function install(): Promise<void> {
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

function areInstalled(): boolean {
  const installed = join(folder, 'node_modules/.package-lock.json');
  return existsSync(installed) && isSame(join(folder, 'package-lock.json'), installed);
}

function isSame(lockfile: string, installed: string): boolean {
  const versionsIn = (path: string) => {
    const { packages }: { packages: Record<string, { version?: string }> } = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    return Object.entries(packages).flatMap(([name, { version }]) =>
      name === '' ? [] : [`${name} ${version}`],
    );
  };
  const there = new Set(versionsIn(installed));
  return versionsIn(lockfile).every((one) => there.has(one));
}
