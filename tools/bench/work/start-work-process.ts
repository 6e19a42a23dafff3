import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';

/** The input of the process that runs a handler: events, one invocation each, one after another. */
export const workMessage = z.object({ events: z.array(z.unknown()) });

/** The answer of the process: the results, and the processor time of all invocations together, all threads. */
export const workDone = z.union([
  z.object({ cpuMicroseconds: z.number(), results: z.array(z.unknown()) }),
  z.object({ error: z.string() }),
]);

/** A process with a function's bundle in it. */
export interface WorkProcess {
  /**
   * Invokes the function with each event in turn.
   *
   * @returns processor time of all, in microseconds
   * @throws where an invocation does, or answers something else than it should
   */
  run(events: readonly unknown[]): Promise<number>;
  /** Resolves once it is gone; a profile that was asked for is written then. */
  stop(): Promise<void>;
}

export interface WorkProcessSettings {
  /** The folder of the function's bundle. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A text that the answer to each event contains, as JSON. */
  readonly answer: string;
  readonly signal: AbortSignal;
  /** Options of Node.js. */
  readonly execArgv?: readonly string[];
}

export function startWorkProcess(settings: WorkProcessSettings): WorkProcess {
  const { bundle, environment, answer, signal, execArgv = [] } = settings;
  const child = fork(join(import.meta.dirname, 'work-process.ts'), [bundle], {
    env: { ...environment },
    execArgv: [...execArgv],
    // The process writes its log, and it is discarded.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`the process of ${bundle} ended with exit code ${code}`);
  });
  ended.catch(() => {});
  return {
    run: async (events) => {
      const answered = once(child, 'message', { signal });
      child.send({ events });
      const [message] = await Promise.race([answered, ended]);
      const done = workDone.parse(message);
      if ('error' in done) throw new Error(done.error);
      const other = done.results.find((result) => !JSON.stringify(result).includes(answer));
      if (other !== undefined) throw new Error(`${bundle} answered ${JSON.stringify(other)}`);
      return done.cpuMicroseconds;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited.catch(() => {});
    },
  };
}
