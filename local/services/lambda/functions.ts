import { setTimeout as delay } from 'node:timers/promises';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import type { FunctionDefinition } from '../../function-hosts/environment.ts';
import type { HostPool } from '../../function-hosts/pool.ts';

/** The time, as retries use it. */
export interface RetryClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves with true after `ms` milliseconds, or with false as soon as the run ends. */
  sleep(ms: number): Promise<boolean>;
}

/** Uses timers that do not keep the process alive. The signal ends every sleep. */
export function retryClockByTimer(signal: AbortSignal): RetryClock {
  return {
    now: Date.now,
    sleep: (ms) => delay(ms, true, { signal, ref: false }).catch(() => false),
  };
}

/** A function that runs on this machine. */
export interface LocalFunction {
  readonly definition: FunctionDefinition;
  readonly arn: string;
  readonly pool: HostPool;
}

/** The functions on this machine, by name and by ARN. */
export class FunctionRegistry {
  readonly #functions = new Map<string, LocalFunction>();

  add(added: LocalFunction): void {
    this.#functions.set(added.definition.name, added);
    this.#functions.set(added.arn, added);
  }

  all(): LocalFunction[] {
    return [...new Set(this.#functions.values())];
  }

  /** @throws AwsError as Lambda does when there is no such function */
  find(nameOrArn: string): LocalFunction {
    const localFunction = this.#functions.get(nameOrArn);
    if (!localFunction)
      throw new AwsError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404);
    return localFunction;
  }
}

/** The functions, and the way to invoke one without waiting for it. */
export interface LambdaParts {
  readonly functions: FunctionRegistry;
  readonly asyncInvocations: AsyncInvocations;
}

/** Limits how often and for how long Lambda retries an event that a function failed on. */
export interface AsyncInvokeConfig {
  /** 0 to 2. */
  readonly maximumRetryAttempts: number;
  /** Seconds since the event arrived, 60 to 21,600. */
  readonly maximumEventAgeSeconds: number;
}

export const defaultAsyncInvokeConfig: AsyncInvokeConfig = {
  maximumRetryAttempts: 2,
  maximumEventAgeSeconds: 21_600,
};

const minuteMs = 60_000;

/**
 * Invokes functions without waiting for them. "If the function returns an error, Lambda attempts to run it
 * two more times, with a one-minute wait between the first two attempts, and two minutes between the second and third
 * attempts" (Lambda Developer Guide, "Error handling in asynchronous invocations").
 */
export class AsyncInvocations {
  readonly #configs = new Map<string, AsyncInvokeConfig>();
  readonly #clock: RetryClock;
  readonly #note: (line: string) => void;

  /** @param note called for each event that is dropped */
  constructor(clock: RetryClock, note: (line: string) => void) {
    this.#clock = clock;
    this.#note = note;
  }

  configure(functionName: string, config: AsyncInvokeConfig): void {
    this.#configs.set(functionName, config);
  }

  /** Accepts an event and returns at once. */
  start(target: LocalFunction, payload: unknown): void {
    void this.#run(target, payload);
  }

  async #run({ definition, pool }: LocalFunction, payload: unknown): Promise<void> {
    const { maximumRetryAttempts, maximumEventAgeSeconds } =
      this.#configs.get(definition.name) ?? defaultAsyncInvokeConfig;
    const deadline = this.#clock.now() + maximumEventAgeSeconds * 1000;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await pool.invoke(payload);
      if (outcome.kind === 'ok') return;
      const pauseMs = (attempt + 1) * minuteMs;
      if (attempt >= maximumRetryAttempts || this.#clock.now() + pauseMs > deadline) {
        this.#note(`${definition.label}: an event was dropped: ${outcome.error.errorMessage}`);
        return;
      }
      if (!(await this.#clock.sleep(pauseMs))) return;
    }
  }
}
