import type { Clock } from '../../core/clock.ts';
import { createHttpFetch, type HttpFetch } from '../http-fetch.ts';

/** What the client takes from the world, so that its tests are exact and never wait. */
export interface Ports {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** A signal that aborts after so many milliseconds. */
  readonly timeoutSignal: (ms: number) => AbortSignal;
}

/** Waits so many milliseconds. */
export const sleep: Ports['sleep'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The real world. */
export const systemPorts: Ports = {
  // Marked for bundles that need the pause alone.
  fetch: /* @__PURE__ */ createHttpFetch(Date.now),
  clock: Date.now,
  sleep,
  random: Math.random,
  timeoutSignal: (ms) => AbortSignal.timeout(ms),
};

/** Ports whose calls are broken off, and never begin, once a signal is aborted. */
export function portsUntil(ended: AbortSignal, ports: Ports): Ports {
  return { ...ports, timeoutSignal: (ms) => AbortSignal.any([ended, ports.timeoutSignal(ms)]) };
}
