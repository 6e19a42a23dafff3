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
