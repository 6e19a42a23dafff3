import * as z from 'zod';
import { mismatchKinds } from '../../../../contract/drift/mismatch.ts';
import { webhookReport } from '../../../registration/shapes.ts';

// The JSON that only the server of a console answers.

const time = z.string().meta({ format: 'date-time', examples: ['2026-01-15T12:00:05.000Z'] });
const messages = z.int().describe('Approximate, as SQS reports it.');

/** The state of a pipeline as JSON: what `sms doctor` finds without a test event. */
export const healthSchema = z
  .object({
    checkedAt: time.describe('When it was read; it is read again after half a minute.'),
    healthy: z.boolean().describe('Whether no check failed.'),
    checks: z.array(
      z.object({
        check: z
          .string()
          .meta({ description: 'Its name, which does not change.', examples: ['webhook-secret'] }),
        state: z.enum(['ok', 'warn', 'failed', 'skipped']),
        found: z.string(),
        hint: z.string().nullable().describe('What to do next.'),
      }),
    ),
    webhook: webhookReport.nullable().meta({
      description: 'The registration, the secret without its value, and the last verified request.',
    }),
    queues: z
      .array(
        z.object({
          name: z.string(),
          waiting: messages,
          inFlight: messages,
          oldestSeconds: z
            .number()
            .nullable()
            .describe('The age of the oldest message; null if no metric has it.'),
        }),
      )
      .nullable(),
    deadLetters: z
      .array(
        z.object({
          name: z.string(),
          waiting: messages,
          inFlight: messages,
          oldestSeenAt: time.nullable().describe('When the oldest of some of its messages was sent.'),
        }),
      )
      .nullable(),
    alarms: z
      .array(z.object({ name: z.string(), since: time.nullable(), description: z.string().nullable() }))
      .nullable()
      .describe('The alarms that are on; null on one machine, which has none.'),
    contractDrift: z
      .object({
        day: z.string().describe('Today, in UTC.'),
        mismatches: z.array(
          z.object({
            source: z
              .string()
              .exactOptional()
              .describe('The source whose events differ; left out for `main`.'),
            kind: z.enum(mismatchKinds),
            field: z.string(),
            expected: z.string(),
            found: z.string(),
            word: z.string().exactOptional(),
            example: z
              .string()
              .exactOptional()
              .describe('What a value that was kept as received looks like, masked.'),
            events: z.int().exactOptional().describe('How many events of today showed it, at least.'),
            foundAt: time,
          }),
        ),
      })
      .nullable()
      .describe('How events of today differ from the contract.'),
  })
  .meta({
    id: 'Health',
    description: 'The state of the pipeline. A part that could not be read is null, and a check says why.',
  });

export type HealthView = z.infer<typeof healthSchema>;

/** What a replay did as JSON. */
export const replaySchema = z
  .object({
    outcome: z
      .enum(['sent', 'other-source', 'unreadable', 'unverifiable', 'unwrappable', 'unidentifiable'])
      .describe('`sent`: the worker processes it within seconds. Otherwise the entry stays.'),
    why: z.string().nullable().describe('Why it stays.'),
  })
  .meta({ id: 'Replayed', description: 'What a replay did with one entry of the quarantine.' });

export type ReplayView = z.infer<typeof replaySchema>;
