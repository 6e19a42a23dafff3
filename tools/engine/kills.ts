import { setTimeout as delay } from 'node:timers/promises';
import type { BusFaults } from '../support/local-bus.ts';
import { until } from '../support/until.ts';
import type { FaultControl } from './fault-control.ts';
import type { Incident } from './incident.ts';
import { endProcess, type Run } from './run.ts';

/** Kills processes of the worker or the publisher, one after the other, until one of them was in the middle of a batch. */
export function killAtWork(label: 'worker' | 'publisher'): Incident {
  return {
    name: `a ${label} is killed at work`,
    async happen({ faults, killed, pipeline }: Run) {
      for (let round = 0; round < maxKills; round++) {
        await untilAtWork(faults, label);
        const [pid] = pipeline.processes(label);
        if (pid === undefined) continue;
        endProcess(pid);
        await until('it is gone', () => !pipeline.processes(label).includes(pid), 60_000);
        // An end at work is in the log before the process is gone from the list.
        const ends = endsAtWork(pipeline, label).filter((requestId) => !killed.has(requestId));
        for (const requestId of ends) killed.add(requestId);
        if (ends.length > 0) return ends.length;
      }
      return 0;
    },
  };
}

/** Has the bus throttle every call for a while. Its other faults begin again after that. @returns the entries that it refused */
export function throttleBus(seconds: number, otherFaults: BusFaults): Incident {
  return {
    name: `the bus throttles every call for ${seconds} s`,
    async happen({ bus }) {
      const before = (await bus.counts()).refused;
      await bus.fail({ throttle: true });
      await delay(seconds * 1000);
      const { refused } = await bus.counts();
      await bus.fail(otherFaults);
      return before + refused;
    },
  };
}

/** How many processes are killed at most until one is met at work. */
export const maxKills = 40;

/** Waits until an invocation has ended and another one runs: before that its process may still be starting, and have no request. */
export async function untilAtWork({ functionCounts }: FaultControl, label: string): Promise<void> {
  const before = await functionCounts(label);
  await until(`${label} is at work`, async () => {
    const { invocations, running } = await functionCounts(label);
    return running > 0 && invocations - running > before.invocations - before.running;
  });
}

/** Returns the requests during which a process of a function ended, as Lambda reports them in its log. */
export function endsAtWork({ functionLog }: Run['pipeline'], label: string): string[] {
  const ends = functionLog(label).matchAll(/RequestId: (\S+) Error: Runtime exited/g);
  return [...ends].map(([, requestId = '']) => requestId);
}
