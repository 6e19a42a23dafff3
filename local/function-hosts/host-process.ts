import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from './clock.ts';
import type { FunctionDefinition } from './environment.ts';
import type { ClockMessage, HostMessage, InvokeMessage, Outcome } from './protocol.ts';

const HOST_SCRIPT = fileURLToPath(new URL('./host.ts', import.meta.url));

/** Lambda allows an environment 10 s to start; a laptop that is busy starting everything gets more. */
const INIT_TIMEOUT_MS = 30_000;

export interface HostOptions {
  readonly definition: FunctionDefinition;
  readonly environment: Readonly<Record<string, string>>;
  /** File descriptor that takes the process's stdout and stderr. */
  readonly log: number;
  /** Marks the process's command line as one of this run's. */
  readonly runId: string;
  /** By how much its clock is ahead from the start. */
  readonly clockOffsetMs: number;
}

interface Pending {
  readonly requestId: string;
  readonly settle: (outcome: Outcome) => void;
}

/** A process that hosts a function, seen from outside: takes one event at a time. */
export class HostProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #timeoutSeconds: number;
  #started: ((outcome: Outcome) => void) | undefined;
  #pending: Pending | undefined;
  #startFailure: Outcome | undefined;
  #usable = true;

  /** Resolves when the handler is loaded, or with the error that loading it came to. */
  readonly ready: Promise<Outcome>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;

  constructor({ definition, environment, log, runId, clockOffsetMs }: HostOptions) {
    this.#timeoutSeconds = definition.timeoutSeconds;
    this.#child = fork(HOST_SCRIPT, [`--run=${runId}`, `--clock-offset-ms=${clockOffsetMs}`], {
      cwd: definition.codeDirectory,
      env: environment,
      execArgv: [`--max-old-space-size=${definition.memoryMegabytes}`],
      stdio: ['ignore', log, log, 'ipc'],
    });
    this.pid = this.#child.pid ?? 0;
    this.ready = new Promise((resolve) => {
      this.#started = resolve;
    });
    const initTimer = setTimeout(() => {
      this.#startFailure = failure(
        'Runtime.InitTimeout',
        `no handler loaded after ${INIT_TIMEOUT_MS / 1000} s`,
      );
      this.kill();
    }, INIT_TIMEOUT_MS);
    void this.ready.then(() => clearTimeout(initTimer));
    this.#child.on('message', (message: HostMessage) => this.#receive(message));
    this.exited = new Promise((resolve) => {
      const ended = (reason: string): void => {
        this.#usable = false;
        const request = this.#pending ? `RequestId: ${this.#pending.requestId} Error: ` : '';
        const gone = failure('Runtime.ExitError', `${request}Runtime exited with error: ${reason}`);
        this.#settleStart(this.#startFailure ?? gone);
        this.#settle(gone);
        resolve();
      };
      this.#child.once('exit', (code, signal) => ended(signal ? `signal: ${signal}` : `exit status ${code}`));
      this.#child.once('error', (error) => ended(error.message));
    });
  }

  /** Whether the process can take a further event. */
  get usable(): boolean {
    return this.#usable;
  }

  /** Runs the handler on one event; the process is gone afterwards when that took too long. */
  invoke(event: unknown): Promise<Outcome> {
    const requestId = randomUUID();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const seconds = this.#timeoutSeconds.toFixed(2);
        const message = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
        this.kill();
        this.#settle(failure('Sandbox.Timedout', message));
      }, this.#timeoutSeconds * 1000);
      const settle = (outcome: Outcome): void => {
        clearTimeout(timer);
        resolve(outcome);
      };
      this.#pending = { requestId, settle };
      const deadline = monotonicMs() + this.#timeoutSeconds * 1000;
      this.#send({ type: 'invoke', requestId, event, deadline });
    });
  }

  /** Sets by how much the process's `Date` is ahead, from before the next event on. */
  shiftClock(offsetMs: number): void {
    this.#send({ type: 'clock', offsetMs });
  }

  kill(): void {
    this.#usable = false;
    this.#child.kill('SIGKILL');
  }

  #send(message: InvokeMessage | ClockMessage): void {
    // A process that is just going away reports itself through its exit event.
    this.#child.send(message, () => {});
  }

  #receive(message: HostMessage): void {
    if (message.type === 'ready') this.#settleStart({ ok: true, result: undefined });
    else if (message.type === 'init-error') this.#startFailure = { ok: false, error: message.error };
    else if (message.requestId !== this.#pending?.requestId) return;
    else if (message.type === 'error') {
      this.#usable &&= !message.fatal;
      this.#settle({ ok: false, error: message.error });
    } else this.#settle({ ok: true, result: message.result ?? null });
  }

  #settleStart(outcome: Outcome): void {
    this.#started?.(outcome);
    this.#started = undefined;
  }

  #settle(outcome: Outcome): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.settle(outcome);
  }
}

function failure(errorType: string, errorMessage: string): Outcome {
  return { ok: false, error: { errorType, errorMessage } };
}
