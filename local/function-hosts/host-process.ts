import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { moduleFile } from '../../contract/document/package-store.ts';
import { projectFolder } from '../../contract/document/project-store.ts';
import { compileCacheVariable } from '../processes/compile-cache.ts';
import { monotonicMs } from './clock.ts';
import type { FunctionDefinition } from './environment.ts';
import type { ClockMessage, HostMessage, InvokeMessage, Outcome } from './protocol.ts';

const HOST_SCRIPT = moduleFile('local/function-hosts/host.ts');

/** Lambda allows an environment 10 s to start. A laptop that starts everything at once gets more. */
const INIT_TIMEOUT_MS = 30_000;

export interface HostOptions {
  readonly definition: FunctionDefinition;
  readonly environment: Readonly<Record<string, string>>;
  /** File descriptor for the process's stdout and stderr. */
  readonly log: number;
  /** Marks the process's command line as one of this run's. */
  readonly runId: string;
  /** How far the process's clock is ahead of the system's clock at the start. */
  readonly clockOffsetMs: number;
}

interface Pending {
  readonly requestId: string;
  readonly settle: (outcome: Outcome) => void;
}

/** The parent's side of a process that hosts a function. The process runs one event at a time. */
export class HostProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #timeoutSeconds: number;
  #started: ((outcome: Outcome) => void) | undefined;
  #pending: Pending | undefined;
  #startFailure: Outcome | undefined;
  #usable = true;
  #clockOffsetMs: number;

  /** Resolves when the handler is loaded, or with the error of loading it. */
  readonly ready: Promise<Outcome>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;

  constructor({ definition, environment, log, runId, clockOffsetMs }: HostOptions) {
    this.#timeoutSeconds = definition.timeoutSeconds;
    this.#clockOffsetMs = clockOffsetMs;
    this.#child = fork(
      HOST_SCRIPT,
      [`--run=${runId}`, `--clock-offset-ms=${clockOffsetMs}`, `--app=${projectFolder}`],
      {
        cwd: definition.codeDirectory,
        env: { ...environment, ...compileCacheVariable(process.env) },
        execArgv: [`--max-old-space-size=${definition.memoryMegabytes}`],
        stdio: ['ignore', log, log, 'ipc'],
      },
    );
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

  /** Whether the process accepts another event. */
  get usable(): boolean {
    return this.#usable;
  }

  /** Runs the handler on one event. Kills the process if that exceeds the function's timeout. */
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
      this.#send({ kind: 'invoke', requestId, event, deadline });
    });
  }

  /** Sets how far the process's `Date` is ahead, before the next event. */
  shiftClock(offsetMs: number): void {
    if (offsetMs === this.#clockOffsetMs) return;
    this.#clockOffsetMs = offsetMs;
    this.#send({ kind: 'clock', offsetMs });
  }

  kill(): void {
    this.#usable = false;
    this.#child.kill('SIGKILL');
  }

  #send(message: InvokeMessage | ClockMessage): void {
    // The exit event reports a process that cannot be reached any more.
    this.#child.send(message, () => {});
  }

  #receive(message: HostMessage): void {
    if (message.kind === 'ready') this.#settleStart({ kind: 'ok', value: undefined });
    else if (message.kind === 'init-error') this.#startFailure = { kind: 'error', error: message.error };
    else if (message.requestId !== this.#pending?.requestId) return;
    else if (message.kind === 'error') {
      this.#usable &&= !message.fatal;
      this.#settle({ kind: 'error', error: message.error });
    } else this.#settle({ kind: 'ok', value: message.result ?? null });
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
  return { kind: 'error', error: { errorType, errorMessage } };
}
