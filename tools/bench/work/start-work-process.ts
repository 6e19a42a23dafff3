import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';

/** The results of all invocations, and their processor time together, all threads. */
const workDone = z.object({ cpuMicroseconds: z.number(), results: z.array(z.unknown()) });

/** A process with the bundle of the worker or publisher in it. */
export interface WorkProcess {
  /**
   * Invokes the function with each event in turn.
   *
   * @returns processor time of all, in microseconds
   * @throws where an invocation does, or does not succeed with all of its records
   */
  run(events: readonly unknown[]): Promise<number>;
  /** Resolves once it is gone. */
  stop(): Promise<void>;
}

/** @param bundle the folder of the function's bundle */
export function startWorkProcess(bundle: string, env: Record<string, string>): WorkProcess {
  const child = fork(join(import.meta.dirname, 'work-process.ts'), [bundle], {
    env,
    // The process writes its log, and it is discarded.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`the process of ${bundle} ended with exit code ${code}`);
  });
  ended.catch(() => {});
  return {
    run: async (events) => {
      const answered = once(child, 'message');
      child.send(events);
      const [message] = await Promise.race([answered, ended]);
      const { cpuMicroseconds, results } = workDone.parse(message);
      const other = results.find((result) => !JSON.stringify(result).includes('"batchItemFailures":[]'));
      if (other !== undefined) throw new Error(`${bundle} answered ${JSON.stringify(other)}`);
      return cpuMicroseconds;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
