import * as z from 'zod';

export { maxSpanMs } from './passes.ts';

const position = z.strictObject({
  page: z.string().nullable().exactOptional(),
  sends: z.array(z.string()).readonly().exactOptional(),
  sendPage: z.string().exactOptional(),
  pages: z.int().nonnegative().exactOptional(),
  sendPages: z.int().nonnegative().exactOptional(),
});

const common = {
  /** Compares and stores nothing. */
  dryRun: z.boolean().default(false),
  /** Where the answer before this one ended. */
  position: position.exactOptional(),
};

/** A request of `sms lookup`, and of `sms doctor` (`status`). */
export const lookupRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('status') }),
  z.strictObject({ action: z.literal('message'), messageId: z.string().min(1).max(1024), ...common }),
  z.strictObject({ action: z.literal('send'), sendId: z.string().min(1).max(512), ...common }),
  z.strictObject({ action: z.literal('span'), since: z.iso.datetime(), until: z.iso.datetime(), ...common }),
]);

export type LookupRequest = z.input<typeof lookupRequest>;

const counts = {
  listed: z.int().describe('The messages in the answers of the service.'),
  missing: z.int().describe('Of these, the messages that the history did not have.'),
  changed: z.int().describe('Of these, the messages that the history had in another state.'),
};

/** What the answers of the service added. */
export const lookupCounts = {
  ...counts,
  kept: z
    .int()
    .describe(
      'Of these, the messages that the history has in another state, which takes precedence over the answer and stays.',
    ),
  unreadable: z.int().describe('Messages of the service that the contract cannot read.'),
  changes: z
    .array(
      z.object({
        messageId: z.string(),
        before: z.string().exactOptional().describe('Its status here; left out if it was missing.'),
        after: z.string().describe('Its status at the service.'),
      }),
    )
    .describe('The messages that were missing, or in another state; the first 100.'),
};

/** The answer to a question, or to a part of it. */
export const lookupAnswer = z.union([
  z.object({
    ...lookupCounts,
    /** Present if there is more: the next request begins here. */
    position: position.exactOptional(),
  }),
  z.object({ error: z.object({ kind: z.string(), message: z.string() }) }),
]);

export type LookupAnswer = z.output<typeof lookupAnswer>;

/** The answer to `status`. */
export const lookupStatus = z.object({
  /** What the service listed of each of the last days, by day (UTC). */
  days: z.record(z.string(), z.object(counts)),
  /** By the name of the pass: the messages before this time are done; ISO 8601. */
  doneUntil: z.record(z.string(), z.string()),
  /** Why the last run ended early. */
  stoppedBy: z.string().exactOptional(),
});

export type LookupStatus = z.output<typeof lookupStatus>;
