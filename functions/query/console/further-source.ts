import * as z from 'zod';

/** A source beside `main`, in the environment of the function of a console: the names of what it may read. */
export const furtherSource = z.object({
  source: z.string(),
  /** The queue of its events. */
  events: z.string(),
  deadLetters: z.string(),
  /** The table of the state of its webhook. */
  state: z.string(),
  /** Whether the pipeline registers its webhook itself. */
  registers: z.boolean(),
});

export type FurtherSource = z.output<typeof furtherSource>;
