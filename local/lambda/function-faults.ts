import { z } from 'zod';

export const functionFaults = z.strictObject({
  /** Every invocation runs twice at the same time, with the same event; the first outcome counts. */
  invokeTwice: z.boolean().default(false),
  /** By how much `Date` is ahead in the function's hosts, or behind. */
  clockOffsetMs: z.int().default(0),
});

/** How Lambda behaves badly with a function. */
export type FunctionFaults = z.output<typeof functionFaults>;

export const NO_FUNCTION_FAULTS: FunctionFaults = { invokeTwice: false, clockOffsetMs: 0 };
