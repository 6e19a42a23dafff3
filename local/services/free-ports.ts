import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports that nobody listens on now, for services that only this run calls. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'string' ? 0 : (address?.port ?? 0);
    }),
  );
  // Closed only now: otherwise one could be given twice.
  for (const server of servers) server.close();
  return ports;
}
