import * as z from 'zod';
import { replyFields } from './contract-schema.ts';
import { canonicalStatuses } from './sms-event.ts';
import {
  errorMeaning,
  expression,
  numberRules,
  statusFields,
  text,
  timeFormat,
  timeZone,
} from './status-fields-schema.ts';

/** The file that says how a row of an export becomes a delivery report or a reply. */
export const importMappingSchema = z.strictObject({
  about: z
    .strictObject({
      service: text.describe('Whose export it is.'),
      documentation: z.array(z.url()).default([]).describe('The sources of the mapping.'),
      unverified: z.array(text).default([]).describe('What the sources leave open: check it.'),
    })
    .optional()
    .describe('Where the mapping comes from.'),
  quotes: z
    .literal('none')
    .optional()
    .describe('"none" if the export puts no text into quotes, so that a quote is a character as any other.'),
  only: expression
    .nullable()
    .default(null)
    .describe(
      'JMESPath to a value that is true for the rows to import as reports, or null for all rows that are no replies.',
    ),
  timeFormat,
  timeZone: timeZone.describe('The zone of times that have none. null if it is unknown.'),
  ...numberRules,
  report: statusFields
    .extend({ occurredAt: expression.describe("JMESPath to the time of the row's status.") })
    .nullable()
    .default(null)
    .describe('The fields of a report. Every expression starts at the row. null if the file has no reports.'),
  replies: replyFields
    .omit({ partReference: true, partTotal: true, partNumber: true })
    .extend({
      only: expression
        .nullable()
        .default(null)
        .describe('JMESPath to a value that is true for the rows that are replies, or null for all rows.'),
      occurredAt: expression.describe('JMESPath to the time of the reply.'),
    })
    .nullable()
    .default(null)
    .describe(
      'The fields of a reply. Every expression starts at the row. null if the replies are not imported.',
    ),
  statuses: z.record(text, z.enum(canonicalStatuses)).default({}),
  errors: z.record(text, errorMeaning).default({}),
  samples: z
    .array(
      z.strictObject({
        name: text.describe('What it shows.'),
        row: z.record(z.string(), z.json()).describe('The row: for CSV, texts by the names of the header.'),
        becomes: z
          .record(z.string(), z.union([z.string(), z.int()]))
          .nullable()
          .describe('The fields of the report or the reply to compare, or null for a row that is left out.'),
      }),
    )
    .min(1, 'expected at least one row and the report that it becomes'),
});

/** A validated mapping, with the words and codes of the contract that it extends. */
export type ImportMapping = z.output<typeof importMappingSchema>;
