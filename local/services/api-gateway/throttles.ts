/** The permitted requests: on average each second, and at once. */
export interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** Admits requests as API Gateway does: each takes a token, a full bucket has `burst` tokens, and `ratePerSecond` tokens are added. */
export class TokenBucket {
  readonly #throttle: Throttle;
  #tokens: number;
  #lastMs: number;

  /** @param now ms; the bucket is full at this time */
  constructor(throttle: Throttle, now: number) {
    this.#throttle = throttle;
    this.#tokens = throttle.burst;
    this.#lastMs = now;
  }

  /** Takes a token at `now`, in ms. Returns whether there was one. A clock that goes back adds no tokens. */
  take(now: number): boolean {
    const { ratePerSecond, burst } = this.#throttle;
    const gained = (Math.max(0, now - this.#lastMs) * ratePerSecond) / 1000;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#lastMs = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** The throttles of a stage. */
export interface StageThrottles {
  /** The throttle of each route without its own; undefined: no throttle. */
  readonly everyRoute: Throttle | undefined;
  /** By route key. */
  readonly routes: Readonly<Record<string, Throttle>>;
}

/**
 * Decides which requests the stage admits. Each route has its own bucket. "Throttle requests to your HTTP APIs" (API Gateway Developer Guide) does
 * not say whether routes without their own throttle share one.
 */
export class Throttles {
  #throttles: StageThrottles = { everyRoute: undefined, routes: {} };
  #buckets = new Map<string, TokenBucket>();

  get state(): StageThrottles {
    return this.#throttles;
  }

  /** Replaces the throttles, and fills every bucket. */
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
