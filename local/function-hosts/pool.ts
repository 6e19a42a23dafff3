import { closeSync, openSync, writeSync } from 'node:fs';
import * as z from 'zod';
import type { FunctionDefinition } from './environment.ts';
import { FunctionMetrics } from './function-metrics.ts';
import { HostProcess } from './host-process.ts';
import type { Outcome } from './protocol.ts';

export const functionFaults = z.strictObject({
  /** Every invocation runs twice at the same time, with the same event; the first outcome counts. */
  invokeTwice: z.boolean().default(false),
  /** How far `Date` in the function's hosts is ahead of the system's clock, in ms. */
  clockOffsetMs: z.int().default(0),
});

/** The faults that Lambda shows with a function. */
export type FunctionFaults = z.output<typeof functionFaults>;

export const NO_FUNCTION_FAULTS: FunctionFaults = { invokeTwice: false, clockOffsetMs: 0 };

export interface PoolOptions {
  readonly definition: FunctionDefinition;
  readonly environment: Readonly<Record<string, string>>;
  /** The maximum number of processes at once. */
  readonly limit: number;
  /** Path of the file for the function's stdout and stderr; emptied first. */
  readonly logFile: string;
  readonly runId: string;
  /** Called with the pid of each process that starts, so that none outlives a crash. Returns how to unregister the process. */
  readonly watch: (pid: number) => () => void;
}

interface Waiting {
  readonly event: unknown;
  readonly clockOffsetMs: number | undefined;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * Runs a function's processes. A Lambda environment runs one event at a time, so there is one process for each concurrent event, up to a limit.
 * Further events wait. A process that crashes or times out fails only its own event and is replaced for the next one.
 */
export class HostPool {
  readonly limit: number;
  readonly metrics = new FunctionMetrics();
  /** Whether every invocation is throttled, as with a reserved concurrency of 0. */
  isThrottled = false;
  readonly #options: PoolOptions;
  readonly #log: number;
  readonly #hosts = new Set<HostProcess>();
  readonly #idle: HostProcess[] = [];
  /** Processes whose code was replaced. Each ends after its current event. */
  readonly #outdated = new Set<HostProcess>();
  readonly #queue: Waiting[] = [];
  #variables: Readonly<Record<string, string>>;
  #faults = NO_FUNCTION_FAULTS;
  #starting = 0;
  #stopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.limit = options.limit;
    this.#variables = options.definition.environment;
    this.#log = openSync(options.logFile, 'w');
  }

  /** The process ids of the running hosts. */
  get pids(): number[] {
    return [...this.#hosts].map((host) => host.pid);
  }

  /** Starts one process before the first event. Resolves with the outcome of the start. */
  async prestart(): Promise<Outcome> {
    return this.#start().ready;
  }

  /** Makes later events run with the code that is in the folder now. */
  replaceHosts(): void {
    for (const host of this.#hosts) this.#outdated.add(host);
    for (const host of this.#idle.splice(0)) host.kill();
  }

  /** The environment variables of the function, without those that Lambda sets. */
  get variables(): Readonly<Record<string, string>> {
    return this.#variables;
  }

  /** Makes later events run with these variables. */
  setVariables(variables: Readonly<Record<string, string>>): void {
    this.#variables = variables;
    this.replaceHosts();
  }

  get faults(): FunctionFaults {
    return this.#faults;
  }

  /** Sets the faults, also for the running hosts. */
  setFaults(faults: FunctionFaults): void {
    this.#faults = faults;
    for (const host of this.#hosts) host.shiftClock(faults.clockOffsetMs);
  }

  /** @param clockOffsetMs how far `Date` is ahead during this invocation; without it as the faults say */
  invoke(event: unknown, clockOffsetMs?: number): Promise<Outcome> {
    const first = this.#invokeOnce(event, clockOffsetMs);
    if (!this.#faults.invokeTwice || this.isThrottled) return first;
    this.metrics.doubled();
    return Promise.race([first, this.#invokeOnce(event, clockOffsetMs)]);
  }

  #invokeOnce(event: unknown, clockOffsetMs: number | undefined): Promise<Outcome> {
    if (this.isThrottled) {
      this.metrics.throttled();
      return Promise.resolve(throttledOutcome);
    }
    this.metrics.begun();
    return new Promise((answer) => {
      const settle = (outcome: Outcome): void => {
        this.metrics.ended(outcome.kind === 'error');
        answer(outcome);
      };
      this.#queue.push({ event, clockOffsetMs, settle });
      this.#advance();
    });
  }

  /** Ends all processes. Waiting and running events fail. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const hosts = [...this.#hosts];
    for (const host of hosts) host.kill();
    await Promise.all(hosts.map((host) => host.exited));
    for (const waiting of this.#queue.splice(0)) waiting.settle(stoppedOutcome);
    closeSync(this.#log);
  }

  #advance(): void {
    while (this.#queue.length > 0) {
      const host = this.#idle.pop();
      if (host) {
        const waiting = this.#queue.shift();
        if (waiting) void this.#run(host, waiting);
      } else if (!this.#stopped && this.#hosts.size < this.limit && this.#starting < this.#queue.length) {
        this.#start();
      } else {
        return;
      }
    }
  }

  async #run(host: HostProcess, { event, clockOffsetMs, settle }: Waiting): Promise<void> {
    host.shiftClock(clockOffsetMs ?? this.#faults.clockOffsetMs);
    const begun = performance.now();
    this.metrics.handed();
    const outcome = await host.invoke(event);
    this.metrics.took(performance.now() - begun);
    if (outcome.kind === 'error') this.#write(`${outcome.error.errorType}: ${outcome.error.errorMessage}`);
    this.#release(host);
    settle(outcome);
    this.#advance();
  }

  #start(): HostProcess {
    const { definition, runId, watch } = this.#options;
    const environment = { ...this.#options.environment, ...this.#variables };
    const { clockOffsetMs } = this.#faults;
    const host = new HostProcess({ definition, environment, log: this.#log, runId, clockOffsetMs });
    const unwatch = watch(host.pid);
    this.#hosts.add(host);
    this.#starting += 1;
    void host.ready.then((outcome) => {
      this.#starting -= 1;
      if (outcome.kind === 'ok') this.#release(host);
      // A failed start fails one waiting event, so that a broken bundle does not start processes forever.
      else this.#queue.shift()?.settle(outcome);
      this.#advance();
    });
    void host.exited.then(() => {
      unwatch();
      this.#hosts.delete(host);
      this.#outdated.delete(host);
      const index = this.#idle.indexOf(host);
      if (index >= 0) this.#idle.splice(index, 1);
      this.#advance();
    });
    return host;
  }

  #release(host: HostProcess): void {
    if (this.#outdated.has(host)) host.kill();
    else if (host.usable) this.#idle.push(host);
  }

  #write(line: string): void {
    if (!this.#stopped) writeSync(this.#log, `${line}\n`);
  }
}

/** Lambda's own error (AWS Lambda API reference, "Invoke", "Errors"). */
export const throttledOutcome = {
  kind: 'error',
  error: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' },
} satisfies Outcome;

const stoppedOutcome: Outcome = {
  kind: 'error',
  error: { errorType: 'Runtime.ExitError', errorMessage: 'the local run is ending' },
};
