import type { Agent, ClientRequest } from 'node:http';
import type { Clock } from '../core/clock.ts';

/** The parts of an agent that Node.js calls and does not declare. */
interface AgentParts {
  /** Gives a request a connection: an idle one, or a new one. */
  addRequest(request: ClientRequest, ...options: readonly unknown[]): void;
  /** Called with a connection that becomes idle; false closes it. */
  keepSocketAlive(socket: object): unknown;
}

/**
 * Has an agent close idle connections that may be dead, before it gives one to a request. Lambda freezes a process between two
 * invocations: meanwhile the other side may close a connection or forget it, and no timer runs in the process. So the age of a connection
 * is checked when it is about to be used, by the wall clock. When a request fails on a connection that was idle, all that are idle
 * are closed: they are as old, and a second attempt must not meet the next dead one.
 *
 * @param maxIdleMs how long a connection may be idle and be used again
 * @returns the agent
 */
export function closeStaleConnections<A extends Agent>(agent: A, maxIdleMs: number, clock: Clock): A {
  const parts = agent as A & AgentParts;
  const { addRequest, keepSocketAlive } = parts;
  const idleSince = new WeakMap<object, number>();

  function closeIdle(isStale: (idleMs: number) => boolean): void {
    const now = clock();
    for (const sockets of Object.values(agent.freeSockets))
      for (const socket of sockets ?? []) if (isStale(now - (idleSince.get(socket) ?? 0))) socket.destroy();
  }

  parts.keepSocketAlive = (socket) => {
    idleSince.set(socket, clock());
    return keepSocketAlive.call(agent, socket);
  };
  parts.addRequest = (request, ...options) => {
    // A clock that was set back makes every age doubtful.
    closeIdle((idleMs) => idleMs > maxIdleMs || idleMs < 0);
    addRequest.call(agent, request, ...options);
    if (request.reusedSocket) request.once('error', () => closeIdle(() => true));
  };
  return agent;
}
