import type * as z from 'zod';

import type {
  conversationSchema,
  healthSchema,
  insightsSchema,
  messageSchema,
  optOutSchema,
  problemSchema,
  quarantinedSchema,
  quarantineEntrySchema,
  quarantineReasonSchema,
  replaySchema,
  replySchema,
  searchSchema,
  sendFiguresSchema,
  sendSchema,
  timelineEntrySchema,
} from '../functions/query/shapes.ts';

// The JSON that the query API answers. docs/reference/openapi.json explains every field; both are made from the function's own schemas.

export type Message = z.infer<typeof messageSchema>;
export type StatusEvent = Message['events'][number];
export type Reply = z.infer<typeof replySchema>;
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
export type Conversation = z.infer<typeof conversationSchema>;
export type SearchResults = z.infer<typeof searchSchema>;
export type SendFigures = z.infer<typeof sendFiguresSchema>;
export type Send = z.infer<typeof sendSchema>;
export type Insights = z.infer<typeof insightsSchema>;
export type Period = Insights['periods'][number];
export type PeriodTotal = Insights['total'];
export type ReasonCount = Send['failures'][number];
export type OptOut = z.infer<typeof optOutSchema>;
export type Quarantined = z.infer<typeof quarantinedSchema>;
export type QuarantineReason = z.infer<typeof quarantineReasonSchema>;
export type QuarantineEntry = z.infer<typeof quarantineEntrySchema>;
export type Problem = z.infer<typeof problemSchema>;

/** A part of a list. */
export interface Page<T> {
  /** Newest first. There may be fewer entries than requested, or none. */
  readonly entries: readonly T[];
  /** The cursor of the next page; null at the end of the list. */
  readonly next: string | null;
  /**
   * There if the page ends because many entries did not match a filter, and not because it is full: it has every match down to this time.
   * ISO 8601.
   */
  readonly searchedTo?: string;
}

/** A part of a list as CSV. */
export interface CsvPage {
  /** A row with the names of the columns, and a row for each entry. */
  readonly csv: string;
  /** The cursor of the next page; null at the end of the list. */
  readonly next: string | null;
}

// Only the server of a console answers these.

export type Health = z.infer<typeof healthSchema>;
export type Replayed = z.infer<typeof replaySchema>;
