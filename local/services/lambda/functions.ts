import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { NotOnOneMachine } from '../../cloudformation/template.ts';
import type { FunctionDefinition } from '../../function-hosts/environment.ts';
import type { HostPool } from '../../function-hosts/pool.ts';
import type { Outcome } from '../../function-hosts/protocol.ts';
import { reasonOf } from '../../terminal/terminal.ts';

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

/** The functions on this machine, by name and by ARN. A version or an alias is the function itself. */
export class FunctionRegistry {
  readonly #functions = new Map<string, LocalFunction>();

  add(added: LocalFunction): void {
    this.#functions.set(added.definition.name, added);
  }

  all(): LocalFunction[] {
    return [...this.#functions.values()];
  }

  /** Finds the function that another resource of a template names. @throws NotOnOneMachine if it does not run here */
  inTemplate(nameOrArn: string): LocalFunction {
    const found = this.#functions.get(functionName(nameOrArn));
    if (!found) throw new NotOnOneMachine(`the function ${nameOrArn} does not run on one machine`);
    return found;
  }

  /** @throws AwsError as Lambda does when there is no such function */
  find(nameOrArn: string): LocalFunction {
    const localFunction = this.#functions.get(functionName(nameOrArn));
    if (!localFunction)
      throw new AwsError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404);
    return localFunction;
  }
}

/** `name`, `name:qualifier`, or the ARN of either. */
function functionName(nameOrArn: string): string {
  const [name = ''] = nameOrArn.replace(/^arn:.*?:function:/, '').split(':');
  return name;
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
  /** Receives a record of each event that the function succeeded on. */
  readonly onSuccess?: Destination;
  /** Receives a record of each event that the function failed on for the last time. */
  readonly onFailure?: Destination;
}

/** Sends a record of an invocation to a queue, topic or function. */
export type Destination = (record: object) => Promise<void>;

/** Puts an event that failed for the last time into a queue or topic, with attributes that name the error. */
export type DeadLetters = (
  event: unknown,
  attributes: Readonly<Record<'RequestID' | 'ErrorCode' | 'ErrorMessage', string>>,
) => Promise<void>;

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
  readonly #deadLetters = new Map<string, DeadLetters>();
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

  /** Sets where the events of a function go that failed for the last time, in addition to the destination of its configuration. */
  setDeadLetters(functionName: string, deadLetters: DeadLetters): void {
    this.#deadLetters.set(functionName, deadLetters);
  }

  /** Accepts an event and returns at once. */
  start(target: LocalFunction, payload: unknown): void {
    void this.#run(target, payload);
  }

  async #run(target: LocalFunction, payload: unknown): Promise<void> {
    const { maximumRetryAttempts, maximumEventAgeSeconds, onSuccess, onFailure } =
      this.#configs.get(target.definition.name) ?? defaultAsyncInvokeConfig;
    const deadline = this.#clock.now() + maximumEventAgeSeconds * 1000;
    const requestId = randomUUID();
    const record = (condition: Condition, outcome: Outcome, attempt: number): object =>
      invocationRecord({ requestId, functionArn: target.arn, condition, attempts: attempt + 1 }, payload, {
        outcome,
        timestamp: new Date(this.#clock.now()).toISOString(),
      });
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await target.pool.invoke(payload);
      if (outcome.kind === 'ok') {
        if (onSuccess) await this.#send(target, () => onSuccess(record('Success', outcome, attempt)));
        return;
      }
      const pauseMs = (attempt + 1) * minuteMs;
      const isLast = attempt >= maximumRetryAttempts;
      if (isLast || this.#clock.now() + pauseMs > deadline) {
        const condition = isLast ? 'RetriesExhausted' : 'EventAgeExceeded';
        const { errorMessage } = outcome.error;
        const deadLetters = this.#deadLetters.get(target.definition.name);
        if (onFailure) await this.#send(target, () => onFailure(record(condition, outcome, attempt)));
        if (deadLetters) {
          const attributes = {
            RequestID: requestId,
            ErrorCode: '200',
            ErrorMessage: errorMessage || condition,
          };
          await this.#send(target, () => deadLetters(payload, attributes));
        }
        if (!onFailure && !deadLetters)
          this.#note(`${target.definition.label}: an event was dropped: ${errorMessage}`);
        return;
      }
      if (!(await this.#clock.sleep(pauseMs))) return;
    }
  }

  async #send({ definition }: LocalFunction, send: () => Promise<void>): Promise<void> {
    try {
      await send();
    } catch (error) {
      this.#note(
        `${definition.label}: a destination did not accept the record of an event: ${reasonOf(error)}`,
      );
    }
  }
}

type Condition = 'Success' | 'RetriesExhausted' | 'EventAgeExceeded';

/** The record that a destination receives (Lambda Developer Guide, "Capturing records of Lambda asynchronous invocations"). */
function invocationRecord(
  {
    requestId,
    functionArn,
    condition,
    attempts,
  }: { requestId: string; functionArn: string; condition: Condition; attempts: number },
  requestPayload: unknown,
  { outcome, timestamp }: { outcome: Outcome; timestamp: string },
): object {
  const isError = outcome.kind === 'error';
  return {
    version: '1.0',
    timestamp,
    requestContext: {
      requestId,
      functionArn: `${functionArn}:$LATEST`,
      condition,
      approximateInvokeCount: attempts,
    },
    requestPayload,
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      ...(isError && { functionError: 'Unhandled' }),
    },
    responsePayload: isError ? outcome.error : outcome.value,
  };
}
