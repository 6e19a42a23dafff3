/** What Lambda would tell CloudWatch of a function (namespace `AWS/Lambda`), since the run began. */
export interface FunctionCounts {
  readonly invocations: number;
  /** Of these, those that crashed, timed out, threw or could not start. */
  readonly errors: number;
  /** What was asked and not started, for want of concurrency: neither an invocation nor an error. */
  readonly throttles: number;
  /** Invocations under way or waiting for a process. */
  readonly running: number;
  /** How old the last record of the newest batch of a stream was, in milliseconds; null where it reads none. */
  readonly iteratorAgeMs: number | null;
  /** Events that a fault had invoked twice; CloudWatch has nothing of it. */
  readonly doubled: number;
  /** What the invocations have taken together, each rounded up to the next millisecond, as Lambda bills them. */
  readonly billedMs: number;
}

/** Counts a function's invocations. */
export class FunctionMetrics {
  #counts: FunctionCounts = {
    invocations: 0,
    errors: 0,
    throttles: 0,
    running: 0,
    iteratorAgeMs: null,
    doubled: 0,
    billedMs: 0,
  };

  get counts(): FunctionCounts {
    return this.#counts;
  }

  begun(): void {
    const { invocations, running } = this.#counts;
    this.#counts = { ...this.#counts, invocations: invocations + 1, running: running + 1 };
  }

  ended(isError: boolean): void {
    const { errors, running } = this.#counts;
    this.#counts = { ...this.#counts, errors: errors + (isError ? 1 : 0), running: running - 1 };
  }

  /** An invocation kept a process busy for so long, in milliseconds. */
  took(ms: number): void {
    this.#counts = { ...this.#counts, billedMs: this.#counts.billedMs + Math.ceil(ms) };
  }

  throttled(): void {
    this.#counts = { ...this.#counts, throttles: this.#counts.throttles + 1 };
  }

  doubled(): void {
    this.#counts = { ...this.#counts, doubled: this.#counts.doubled + 1 };
  }

  /** A batch of a stream is handed over; `ms` is how long ago its last record came. */
  iteratorAge(ms: number): void {
    this.#counts = { ...this.#counts, iteratorAgeMs: ms };
  }
}
