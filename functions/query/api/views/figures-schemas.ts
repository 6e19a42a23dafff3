import * as z from 'zod';
import { canonicalErrorReasons, canonicalStatuses } from '../../../../contract/schema/sms-event.ts';
import { source } from './view-schemas.ts';

// The JSON of delivery figures, which is the same in the query API and `sms ... --json`.

const time = z.string().meta({ format: 'date-time', examples: ['2026-01-15T12:00:00.000Z'] });
const count = z.int().min(0);
const ms = count.describe('Milliseconds.');

const outcomeCounts = {
  messages: count.describe('All messages. The counts by outcome and by status add up to it.'),
  delivered: count,
  failed: count,
  pending: count.describe('Messages whose outcome is not known yet, or that the service does not know.'),
  replies: count,
  optOuts: count.describe('Replies that are a keyword of stop.'),
  timeToDelivery: z
    .object({
      messages: count.describe('Delivered messages with an earlier report, which the times are of.'),
      p50: ms,
      p95: ms,
      p99: ms,
    })
    .nullable()
    .describe('From the first report to delivery, at most 2 % wrong; null if no time is known.'),
  segments: count.describe('The parts of the messages for which the service reports them.'),
  spend: z
    .array(
      z
        .object({
          currency: z.string().meta({ description: 'ISO 4217.', examples: ['USD'] }),
          amount: z.string().meta({ description: 'A decimal number as text.', examples: ['12.3456'] }),
          messages: count.describe('The messages that have a price in this currency.'),
        })
        .meta({ id: 'Spend', description: 'What messages cost in one currency.' }),
    )
    .describe(
      'What the messages cost, in the currency of the most messages first; empty if no price is known.',
    ),
};

const reasonCount = z
  .object({
    // Any text, because a later version may count a new reason.
    reason: z.string().meta({ examples: [...canonicalErrorReasons] }),
    code: z
      .string()
      .nullable()
      .describe("The service's code; null if it sent no code, and `*` for codes that are not counted apart."),
    messages: count,
  })
  .meta({ id: 'ReasonCount', description: 'Messages that failed for one reason, with one code.' });

const statusCount = z
  .object({
    status: z.string().meta({
      description: 'A canonical status; `other` are words of the service that the contract does not list.',
      examples: [...canonicalStatuses],
    }),
    messages: count,
  })
  .meta({ id: 'StatusCount', description: 'Messages that are in one status now.' });

const figures = {
  ...outcomeCounts,
  statuses: z.array(statusCount).describe('In the order of a delivery.'),
  failures: z.array(reasonCount).describe('The most frequent first.'),
};

/** The figures of a send as JSON. */
export const sendFiguresSchema = z
  .object({ source, sendId: z.string(), firstReportAt: time, ...figures })
  .meta({ id: 'SendFigures', description: 'How the messages of a send are doing now.' });

/** The figures of a send and the histogram of its times as JSON. */
export const sendSchema = z
  .object({
    ...sendFiguresSchema.shape,
    histogram: z
      .array(
        z.object({
          upTo: ms
            .nullable()
            .describe('The longest time in this row, milliseconds; null for all longer ones.'),
          messages: count,
        }),
      )
      .describe(
        'Delivered messages by time from the first report to delivery; rows without messages are included.',
      ),
  })
  .meta({
    id: 'Send',
    description: 'How the messages of a send are doing now, with the histogram of their times.',
  });

const countryFigures = z
  .object({
    country: z.string().describe('ISO 3166-1 alpha-2; ZZ if the number has no country.'),
    ...outcomeCounts,
  })
  .meta({ id: 'CountryFigures', description: 'The messages to the numbers of one country.' });

const groupsWithin = {
  countries: z.array(countryFigures).exactOptional().describe('With `by=country`: the most messages first.'),
  statuses: figures.statuses.exactOptional().describe('With `by=status`: in the order of a delivery.'),
  failures: figures.failures.exactOptional().describe('With `by=reason`: the most frequent first.'),
};

const sourceFigures = z
  .object({
    source: z.string().meta({ description: 'Its name.', examples: ['main', 'backup'] }),
    ...outcomeCounts,
    ...groupsWithin,
  })
  .meta({
    id: 'SourceFigures',
    description: 'The messages of one source. They are divided by the other groups of the query.',
  });

const groups = {
  sources: z.array(sourceFigures).exactOptional().describe('With `by=source`: the most messages first.'),
  ...groupsWithin,
};

/** What figures of a time can be divided by. */
export const insightGroups = ['source', 'country', 'status', 'reason'] as const;

export type InsightGroup = (typeof insightGroups)[number];

/** The figures of a time as JSON. */
export const insightsSchema = z
  .object({
    since: time.describe('The beginning of the first period.'),
    until: time.describe('The end of the last period, which may lie ahead.'),
    interval: z.enum(['hour', 'day']),
    total: z
      .object({ ...outcomeCounts, ...groups })
      .meta({ id: 'PeriodTotal', description: 'All periods together.' }),
    periods: z
      .array(
        z
          .object({ start: time, ...outcomeCounts, ...groups })
          .meta({ id: 'Period', description: 'An hour or a day in UTC.' }),
      )
      .describe('Oldest first; periods without messages and replies are left out.'),
  })
  .meta({
    id: 'Insights',
    description:
      'Messages by the time of their earliest report, and replies by their own, in hours or days (UTC).',
  });

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export type OutcomeCounts = Pick<SendFiguresView, keyof typeof outcomeCounts>;
export type SendFiguresView = DeepReadonly<z.infer<typeof sendFiguresSchema>>;
export type SendView = DeepReadonly<z.infer<typeof sendSchema>>;
export type InsightsView = DeepReadonly<z.infer<typeof insightsSchema>>;
export type PeriodView = InsightsView['periods'][number];
