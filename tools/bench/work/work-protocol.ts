import * as z from 'zod';

/** The input of the process that runs a handler: events, one invocation each, one after another. */
export const workMessage = z.object({ events: z.array(z.unknown()) });

/** The answer of the process. */
export const workDone = z.union([
  z.object({
    /** Processor time of all invocations together, all threads of the process. */
    cpuMicroseconds: z.number(),
    /** The CPU time of each invocation. */
    results: z.array(z.unknown()),
  }),
  z.object({ error: z.string() }),
]);
