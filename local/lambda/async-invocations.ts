import type { RetryClock } from '../schedule/retry-clock.ts';
import type { LocalFunction } from './registry.ts';

/** How often Lambda tries an event again that a function failed on, and for how long. */
export interface AsyncInvokeConfig {
  /** 0 to 2. */
  readonly maximumRetryAttempts: number;
  /** Seconds, 60 to 21,600, since the event came. */
  readonly maximumEventAgeSeconds: number;
}

export const defaultAsyncInvokeConfig: AsyncInvokeConfig = {
  maximumRetryAttempts: 2,
  maximumEventAgeSeconds: 21_600,
};

const minuteMs = 60_000;

/**
 * Asynchronous invocations: nobody waits for the function. "If the function returns an error, Lambda attempts to run it
 * two more times, with a one-minute wait between the first two attempts, and two minutes between the second and third
 * attempts" (Lambda Developer Guide, "Error handling in asynchronous invocations").
 */
export class AsyncInvocations {
  readonly #configs = new Map<string, AsyncInvokeConfig>();
  readonly #clock: RetryClock;
  readonly #note: (line: string) => void;

  /** @param note told of each event that is given up */
  constructor(clock: RetryClock, note: (line: string) => void) {
    this.#clock = clock;
    this.#note = note;
  }

  configure(functionName: string, config: AsyncInvokeConfig): void {
    this.#configs.set(functionName, config);
  }

  /** Takes an event; returns at once. */
  start(target: LocalFunction, payload: unknown): void {
    void this.#run(target, payload);
  }

  async #run({ definition, pool }: LocalFunction, payload: unknown): Promise<void> {
    const { maximumRetryAttempts, maximumEventAgeSeconds } =
      this.#configs.get(definition.name) ?? defaultAsyncInvokeConfig;
    const deadline = this.#clock.now() + maximumEventAgeSeconds * 1000;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await pool.invoke(payload);
      if (outcome.ok) return;
      const pauseMs = (attempt + 1) * minuteMs;
      if (attempt >= maximumRetryAttempts || this.#clock.now() + pauseMs > deadline) {
        this.#note(`${definition.label}: an event was given up: ${outcome.error.errorMessage}`);
        return;
      }
      if (!(await this.#clock.sleep(pauseMs))) return;
    }
  }
}
