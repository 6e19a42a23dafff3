import { type Agent, type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import type { MiddlewareObj } from '@middy/core';
import type { Clock } from './basics.ts';
import { withoutNumbers } from './basics.ts';
import type { Log, LogName, logCatalogue } from './log-catalogue.ts';
import { type Count, lagMetrics, type MetricName, metricNames } from './metrics.ts';

/** The format of a variable: any text, text that may be empty, a whole number, an http(s) URL, a comma-separated list that may be empty, or one of several words. */
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

/** Thrown at cold start. The message names every variable that is missing or invalid, never a value. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';

  constructor(problems: readonly string[]) {
    super(`Environment: ${problems.join('; ')}`);
  }
}

/**
 * Reads all variables that a function needs.
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
      problems.push(`${name} must be one of: ${kind.join(', ')}`);
    else values[name] = kind === 'integer' ? Number(text) : text;
  }
  if (problems.length > 0) throw new EnvironmentError(problems);
  return values as Environment<S>;
}

/** The methods of an agent that Node.js calls and does not declare. */
interface AgentParts {
  /** Assigns a connection to a request: an idle one, or a new one. */
  addRequest(request: ClientRequest, ...options: readonly unknown[]): void;
  /** Called with a connection that becomes idle; false closes it. */
  keepSocketAlive(socket: object): unknown;
}

/**
 * Makes an agent close idle connections that may be dead before it assigns one to a request. Lambda freezes a process between two
 * invocations. Meanwhile the other side may close a connection or forget it, and no timer runs in the process. So the age of a connection
 * is checked by the wall clock when it is about to be used. When a request fails on an idle connection, all idle connections
 * are closed: they are as old, and a second attempt must not use the next dead one.
 *
 * @param maxIdleMs the limit of the idle time of a connection that is used again
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
    // A clock that was set back makes every age unreliable.
    closeIdle((idleMs) => idleMs > maxIdleMs || idleMs < 0);
    addRequest.call(agent, request, ...options);
    if (request.reusedSocket) request.once('error', () => closeIdle(() => true));
  };
  return agent;
}

/** The SDK's default limit of connections to a service. */
const maxSockets = 50;

/**
 * The limit of the idle time of a connection to an AWS service. NAT gateways and interface endpoints forget a connection after 350 seconds.
 * AWS does not document when the services themselves close one.
 */
const maxIdleMs = 10_000;

const options = { keepAlive: true, maxSockets };

/**
 * The settings of every AWS client of the functions. A call that hangs fails after two seconds and is retried once,
 * so that a waiting caller gets a response before its own timeout. Connections that died while Lambda had frozen the function
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

/** The origin of metrics. */
export interface MetricSource {
  /** The namespace in CloudWatch. */
  readonly namespace: string;
  /** The function's service name, the only dimension. */
  readonly service: string;
}

/**
 * Returns a log line that CloudWatch reads metrics from (CloudWatch user guide, "Specification: Embedded metric format").
 *
 * @param values one value for each metric; at most 100, which is the limit of a line
 * @param at Unix time in milliseconds
 */
export function metricLine(
  { namespace, service }: MetricSource,
  values: readonly (readonly [MetricName, number])[],
  at: number,
): string {
  const Metrics = values.map(([metric]) => ({
    Name: metricNames[metric],
    Unit: lagMetrics.includes(metric) ? 'Milliseconds' : 'Count',
  }));
  return JSON.stringify({
    _aws: {
      Timestamp: at,
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [['service']], Metrics }],
    },
    service,
    ...Object.fromEntries(values.map(([metric, value]) => [metricNames[metric], value])),
  });
}

/** Collects one value for each metric of an invocation, so that all fit into one log line. */
export interface MetricBuffer {
  /** Adds to a count, or raises a lag. */
  add(metric: MetricName, value: number): void;
  /** Returns the values without zeros, and starts again. */
  take(): readonly (readonly [MetricName, number])[];
}

export function createMetricBuffer(): MetricBuffer {
  const values = new Map<MetricName, number>();
  return {
    add: (metric, value) => {
      const before = values.get(metric) ?? 0;
      // A lag is never below zero: the clock of an event's sender may be ahead.
      values.set(metric, lagMetrics.includes(metric) ? Math.max(before, value) : before + value);
    },
    take: () => {
      const taken = [...values].filter(([metric, value]) => value !== 0 || lagMetrics.includes(metric));
      values.clear();
      return taken;
    },
  };
}

// Powertools reads the function's service and log level from the environment.
const logger = new Logger();

/** Makes the function that writes some lines of the catalogue. */
export function createLog<Name extends LogName>(lines: Pick<typeof logCatalogue, Name>): Log<Name> {
  return (name, fields = {}) => {
    const { code, level, message } = lines[name];
    logger[level](message, { code, ...withoutNumbers(fields) });
  };
}

const metricBuffer = createMetricBuffer();

export const count: Count = (metric, by = 1) => metricBuffer.add(metric, by);

/** Writes one line for an invocation that counted something. It bypasses `console`, whose lines Lambda wraps as text. */
const publishMetrics: MiddlewareObj = { after: publish, onError: publish };

function publish(): void {
  const counted = metricBuffer.take();
  // The stack sets these variables.
  const { POWERTOOLS_SERVICE_NAME: service = 'unnamed', POWERTOOLS_METRICS_NAMESPACE: namespace } =
    process.env;
  if (counted.length > 0 && namespace !== undefined)
    process.stdout.write(`${metricLine({ namespace, service }, counted, Date.now())}\n`);
}

/** Returns the middlewares that every handler shares: the request id in each log line, and metrics at the end of an invocation. */
export function observability() {
  return [injectLambdaContext(logger), publishMetrics];
}
