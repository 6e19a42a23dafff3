/** How many requests may come: in the long run each second, and at once. */
export interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** Lets requests through as API Gateway says it does: a token each, of which a full bucket has `burst` and `ratePerSecond` come back. */
export class TokenBucket {
  readonly #throttle: Throttle;
  #tokens: number;
  #at: number;

  /** @param now ms; the bucket is full then */
  constructor(throttle: Throttle, now: number) {
    this.#throttle = throttle;
    this.#tokens = throttle.burst;
    this.#at = now;
  }

  /** Whether there was a token left at `now`, in ms: it is taken. A clock that goes back brings none. */
  take(now: number): boolean {
    const { ratePerSecond, burst } = this.#throttle;
    const gained = (Math.max(0, now - this.#at) * ratePerSecond) / 1000;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

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
