import { type Agent, type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Clock } from './clock.ts';

/** What a variable must hold: any text, any text or none, a whole number, an http(s) URL, texts with commas between them (or none), or one of these words. */
type Kind = 'text' | 'optional' | 'integer' | 'url' | 'list' | readonly string[];

type Value<K extends Kind> = K extends readonly (infer Word)[]
  ? Word
  : K extends 'integer'
    ? number
    : K extends 'list'
      ? readonly string[]
      : string;

/** The environment of a function, by variable name. */
export type Environment<S extends Record<string, Kind>> = { readonly [N in keyof S]: Value<S[N]> };

/** Thrown at cold start; the message names every variable that is missing or bad, never a value. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';

  constructor(problems: readonly string[]) {
    super(`Environment: ${problems.join('; ')}`);
  }
}

/**
 * Reads the variables a function needs, all of them at once.
 *
 * @example
 * const environment = readEnvironment({
 *   EVENTS_QUEUE_URL: 'url',
 *   RETENTION_DAYS: 'integer',
 *   PARK_UNVERIFIED: ['rotating', 'always'],
 * });
 * @throws EnvironmentError naming each variable that is missing or not of its kind
 */
export function readEnvironment<const S extends Record<string, Kind>>(
  shape: S,
  source: Readonly<Record<string, string | undefined>> = process.env,
): Environment<S> {
  const problems: string[] = [];
  const values: Record<string, string | number | readonly string[]> = {};
  for (const [name, kind] of Object.entries(shape)) {
    const text = source[name];
    if (kind === 'list' && text !== undefined) values[name] = text.split(',').filter((word) => word !== '');
    else if (kind === 'optional' && text !== undefined) values[name] = text;
    else if (text === undefined || text === '') problems.push(`${name} is missing`);
    else if (kind === 'integer' && !/^\d{1,15}$/.test(text)) problems.push(`${name} is not a whole number`);
    else if (kind === 'url' && !/^https?:\/\/[^\s]+$/.test(text)) problems.push(`${name} is not a URL`);
    else if (typeof kind !== 'string' && !kind.includes(text))
      problems.push(`${name} is none of ${kind.join(', ')}`);
    else values[name] = kind === 'integer' ? Number(text) : text;
  }
  if (problems.length > 0) throw new EnvironmentError(problems);
  return values as Environment<S>;
}

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

/** The SDK's own limit of connections to a service. */
const maxSockets = 50;

/**
 * How long a connection to an AWS service is kept idle. NAT gateways and interface endpoints forget one after 350 seconds; when the services
 * themselves close one, AWS does not document.
 */
const maxIdleMs = 10_000;

const options = { keepAlive: true, maxSockets };

/**
 * What every AWS client of the functions is made with: a call that hangs fails after two seconds and is tried once more,
 * so that a caller who waits hears from us while the request is still alive. Connections that died while Lambda had frozen the function
 * are not used, so that they do not cost one of the two attempts.
 */
export const clientSettings = {
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: 2000,
    throwOnRequestTimeout: true,
    httpAgent: closeStaleConnections(new HttpAgent(options), maxIdleMs, Date.now),
    httpsAgent: closeStaleConnections(new HttpsAgent(options), maxIdleMs, Date.now),
  },
};
