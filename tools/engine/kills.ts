import { setTimeout as delay } from 'node:timers/promises';
import type { BusFaults } from '../support/local-bus.ts';
import { until } from '../support/until.ts';
import type { Incident } from './incident.ts';
import { type Run, signalProcess } from './run.ts';

/** Kills the processes of the worker or the publisher until one of them was in the middle of a batch. */
export function killAtWork(label: 'worker' | 'publisher'): Incident {
  return {
    name: `a ${label} is killed at work`,
    async happen(run: Run, { random }) {
      for (let round = 0; round < maxKills; round++) {
        await killDuringInvocation(run, label, round, random);
        // Lambda logs the end of an invocation's process before the process is missing in the list.
        const ends = endsAtWork(run.pipeline, label).filter((requestId) => !run.killed.has(requestId));
        for (const requestId of ends) run.killed.add(requestId);
        if (ends.length > 0) return ends.length;
      }
      return 0;
    },
  };
}

/** Makes the bus throttle every call for some seconds. Its other faults continue after that. */
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

/** The maximum number of rounds until an invocation is hit. */
export const maxKills = 40;

/**
 * Kills the processes of a function at a random time while one of them has an event. They are stopped until it is known that one has, so that
 * a busy machine does not end the invocation first. It may still end in the time before the kill.
 *
 * @param round begins with 0. The later the round, the earlier in the invocation is the kill
 */
export async function killDuringInvocation(
  run: Run,
  label: string,
  round: number,
  random: () => number,
): Promise<void> {
  const isAtWork = async () => (await run.faults.functionCounts(label)).running > 0;
  await until(`${label} is at work`, isAtWork);
  const pids = run.pipeline.processes(label);
  for (const pid of pids) signalProcess(pid, 'SIGSTOP');
  try {
    await until(`${label} is given an event`, isAtWork);
  } finally {
    for (const pid of pids) signalProcess(pid, 'SIGCONT');
  }
  const waitMs = Math.floor((random() * 30) / (round + 1));
  if (waitMs > 0) await delay(waitMs);
  await run.kill(label);
}

/** Returns the requests during which a process of a function ended, as Lambda reports them in its log. */
export function endsAtWork({ functionLog }: Run['pipeline'], label: string): string[] {
  const ends = functionLog(label).matchAll(/RequestId: (\S+) Error: Runtime exited/g);
  return [...ends].map(([, requestId = '']) => requestId);
}
