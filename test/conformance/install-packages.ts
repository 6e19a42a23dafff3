import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { loopbackUrl } from '../../local/aws-protocol/http.ts';
import { installPackages } from '../../tools/support/own-packages.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL that answers 200 once the libraries of providers are installed, and 500 with the reason if they cannot be. */
    packages: string;
  }
}

/**
 * Installs the libraries of providers, unless they are there in the versions of the lockfile. Their install scripts do not run. The tests of other
 * projects begin meanwhile: the installation takes 20 seconds, most of them waiting for the registry.
 */
export default async function beginInstallation({ provide }: TestProject): Promise<() => Promise<void>> {
  const failure = installPackages(import.meta.dirname, '--ignore-scripts').then(
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
