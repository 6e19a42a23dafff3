import { type Throttle, TokenBucket } from './token-bucket.ts';

/** The throttles of a stage. */
export interface StageThrottles {
  /** Of each route that has none of its own; undefined: none. */
  readonly everyRoute: Throttle | undefined;
  /** By route key. */
  readonly routes: Readonly<Record<string, Throttle>>;
}

/**
 * Which requests the stage lets through. Each route has a bucket to itself; whether those without a throttle of their own share one,
 * "Throttle requests to your HTTP APIs" (API Gateway Developer Guide) leaves open.
 */
export class Throttles {
  #throttles: StageThrottles = { everyRoute: undefined, routes: {} };
  #buckets = new Map<string, TokenBucket>();

  get state(): StageThrottles {
    return this.#throttles;
  }

  /** Puts others in force; every bucket is full then. */
  replace(throttles: StageThrottles): void {
    this.#throttles = throttles;
    this.#buckets = new Map();
  }

  /** @param now ms */
  admits(routeKey: string, now: number): boolean {
    const throttle = this.#throttles.routes[routeKey] ?? this.#throttles.everyRoute;
    if (throttle === undefined) return true;
    const bucket = this.#buckets.get(routeKey) ?? new TokenBucket(throttle, now);
    this.#buckets.set(routeKey, bucket);
    return bucket.take(now);
  }
}
