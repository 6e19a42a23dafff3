/** The counts that Lambda would report to CloudWatch about a function (namespace `AWS/Lambda`), since the run began. */
export interface FunctionCounts {
  invocations: number;
  /** The invocations that crashed, timed out, threw or could not start. */
  errors: number;
  /** The calls that were not started for lack of concurrency. They are neither invocations nor errors. */
  throttles: number;
  /** Invocations whose event a process has. */
  running: number;
  /** The age of the last record in a stream's newest batch, in milliseconds; null for a function that reads no stream. */
  iteratorAgeMs: number | null;
  /** Events that a fault had invoked twice. CloudWatch has no such metric. */
  doubled: number;
  /** The duration of all invocations, each rounded up to the next millisecond, as Lambda bills them. */
  billedMs: number;
}

/** Counts a function's invocations. */
export class FunctionMetrics {
  readonly #counts: FunctionCounts = {
    invocations: 0,
    errors: 0,
    throttles: 0,
    running: 0,
    iteratorAgeMs: null,
    doubled: 0,
    billedMs: 0,
  };

  get counts(): Readonly<FunctionCounts> {
    return { ...this.#counts };
  }

  begun(): void {
    this.#counts.invocations += 1;
  }

  ended(isError: boolean): void {
    if (isError) this.#counts.errors += 1;
  }

  /** Called when a process is given an event. */
  handed(): void {
    this.#counts.running += 1;
  }

  /** Called when a process is through with an event. @param ms how long it took */
  took(ms: number): void {
    this.#counts.running -= 1;
    this.#counts.billedMs += Math.ceil(ms);
  }

  throttled(): void {
    this.#counts.throttles += 1;
  }

  doubled(): void {
    this.#counts.doubled += 1;
  }

  /** Sets the age of the last record of a stream's batch that is about to be processed. */
  iteratorAge(ms: number): void {
    this.#counts.iteratorAgeMs = ms;
  }
}
