import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first of `count` neighbouring ports of the loopback interface that are all free now. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = await listenOnce(0);
    const others = Array.from({ length: count - 1 }, (_, index) => listenOnce(first + 1 + index));
    const results = await Promise.allSettled(others);
    if (first + count < 65_536 && results.every(({ status }) => status === 'fulfilled')) return first;
  }
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}
