import { closeSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { FunctionDefinition } from './environment.ts';
import { FunctionMetrics } from './function-metrics.ts';
import { HostProcess } from './host-process.ts';
import type { Outcome } from './protocol.ts';

export const functionFaults = z.strictObject({
  /** Every invocation runs twice at the same time, with the same event; the first outcome counts. */
  invokeTwice: z.boolean().default(false),
  /** By how much `Date` is ahead in the function's hosts, or behind. */
  clockOffsetMs: z.int().default(0),
});

/** How Lambda behaves badly with a function. */
export type FunctionFaults = z.output<typeof functionFaults>;

export const NO_FUNCTION_FAULTS: FunctionFaults = { invokeTwice: false, clockOffsetMs: 0 };

export interface PoolOptions {
  readonly definition: FunctionDefinition;
  readonly environment: Readonly<Record<string, string>>;
  /** How many processes there may be at once. */
  readonly limit: number;
  /** Path of the file that takes the function's stdout and stderr; emptied first. */
  readonly logFile: string;
  readonly runId: string;
  /** Called with the pid of each process that starts, so that none outlives a crash; returns its undoing. */
  readonly watch: (pid: number) => () => void;
}

interface Waiting {
  readonly event: unknown;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * A function's processes. As a Lambda environment takes one event at a time, there are as many processes as
 * there are events at once, up to a limit; beyond it events wait. A process that crashed or timed out fails
 * its own event only and is replaced when the next one comes.
 */
export class HostPool {
  readonly limit: number;
  readonly metrics = new FunctionMetrics();
  /** Whether nothing is started any more: a reserved concurrency of 0. */
  isThrottled = false;
  readonly #options: PoolOptions;
  readonly #log: number;
  readonly #hosts = new Set<HostProcess>();
  readonly #idle: HostProcess[] = [];
  /** Processes with code that was replaced: each ends with the event it works on. */
  readonly #outdated = new Set<HostProcess>();
  readonly #queue: Waiting[] = [];
  #faults = NO_FUNCTION_FAULTS;
  #starting = 0;
  #stopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.limit = options.limit;
    this.#log = openSync(options.logFile, 'w');
  }

  /** Process ids of the hosts that run now. */
  get pids(): number[] {
    return [...this.#hosts].map((host) => host.pid);
  }

  /** Starts one process ahead of the first event; resolves with what became of it. */
  async prestart(): Promise<Outcome> {
    return this.#start().ready;
  }

  /** Has every event from now on handled by the code as it lies there now. */
  replaceHosts(): void {
    for (const host of this.#hosts) this.#outdated.add(host);
    for (const host of this.#idle.splice(0)) host.kill();
  }

  get faults(): FunctionFaults {
    return this.#faults;
  }

  /** Behaves badly from now on, or well again; in the hosts that run already too. */
  behave(faults: FunctionFaults): void {
    this.#faults = faults;
    for (const host of this.#hosts) host.shiftClock(faults.clockOffsetMs);
  }

  invoke(event: unknown): Promise<Outcome> {
    const first = this.#invokeOnce(event);
    if (!this.#faults.invokeTwice || this.isThrottled) return first;
    this.metrics.doubled();
    return Promise.race([first, this.#invokeOnce(event)]);
  }

  #invokeOnce(event: unknown): Promise<Outcome> {
    if (this.isThrottled) {
      this.metrics.throttled();
      return Promise.resolve(throttledOutcome);
    }
    this.metrics.begun();
    return new Promise((answer) => {
      const settle = (outcome: Outcome): void => {
        this.metrics.ended(!outcome.ok);
        answer(outcome);
      };
      this.#queue.push({ event, settle });
      this.#advance();
    });
  }

  /** Ends all processes; events that still wait or run fail. */
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

  async #run(host: HostProcess, { event, settle }: Waiting): Promise<void> {
    const begun = performance.now();
    const outcome = await host.invoke(event);
    this.metrics.took(performance.now() - begun);
    if (!outcome.ok) this.#write(`${outcome.error.errorType}: ${outcome.error.errorMessage}`);
    this.#release(host);
    settle(outcome);
    this.#advance();
  }

  #start(): HostProcess {
    const { definition, environment, runId, watch } = this.#options;
    const { clockOffsetMs } = this.#faults;
    const host = new HostProcess({ definition, environment, log: this.#log, runId, clockOffsetMs });
    const unwatch = watch(host.pid);
    this.#hosts.add(host);
    this.#starting += 1;
    void host.ready.then((outcome) => {
      this.#starting -= 1;
      if (outcome.ok) this.#release(host);
      // Each failed start answers one waiting event, so a broken bundle can't start processes without end.
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

/** As Lambda says it (AWS Lambda API reference, "Invoke", "Errors"). */
export const throttledOutcome = {
  ok: false,
  error: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' },
} satisfies Outcome;

const stoppedOutcome: Outcome = {
  ok: false,
  error: { errorType: 'Runtime.ExitError', errorMessage: 'the local run is ending' },
};
