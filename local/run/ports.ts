import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Ports } from '../services/definition/define-service.ts';
import { UserError } from '../terminal/terminal.ts';

/** Finds free ports for the services behind the gateway. */
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
  // The servers are closed after all have a port, so that no port is found twice.
  for (const server of servers) server.close();
  return ports;
}

export function portsFrom(first: number): Ports {
  return { httpApi: first, smsService: first + 1, dynamodb: first + 2, sqs: first + 3, aws: first + 4 };
}

const USES: Readonly<Record<keyof Ports, string>> = {
  httpApi: "the pipeline's HTTP API",
  smsService: "the SMS service's sandbox",
  dynamodb: 'DynamoDB',
  sqs: 'SQS',
  aws: 'Secrets Manager, EventBridge and Lambda',
};

/** @throws UserError with each port that is in use */
export async function requireFreePorts(ports: Ports): Promise<void> {
  const taken: string[] = [];
  for (const [name, port] of Object.entries(ports)) {
    if (!(await isFree(port))) taken.push(`${port} (${use(name)})`);
  }
  if (taken.length === 0) return;
  const what = taken.length === 1 ? `port ${taken[0]} is taken` : `ports ${taken.join(', ')} are taken`;
  throw new UserError(`${what}: end what listens there, or choose other ports with --port`);
}

/** @throws UserError if the port is in use */
export async function requireFree(port: number, use: string): Promise<void> {
  if (!(await isFree(port)))
    throw new UserError(`port ${port} (${use}) is taken: end what listens there, or choose another --port`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

function use(name: string): string {
  return Object.entries(USES).find(([key]) => key === name)?.[1] ?? name;
}
