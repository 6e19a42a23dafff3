import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems hand out for outgoing connections, which would take a port between here and its use. */
const lowest = 20_000;
const highest = 32_000;

/** The first of `count` neighbouring ports of the loopback interface that are all free now. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(lowest, highest);
    const tries = Array.from({ length: count }, (_, index) => listenOnce(first + index));
    const results = await Promise.allSettled(tries);
    if (results.every(({ status }) => status === 'fulfilled')) return first;
  }
}

async function listenOnce(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
