import type * as z from 'zod';
import type { HistoryLists } from '../adapters/history-lists.ts';
import type { HistoryReader } from '../adapters/history-reader.ts';
import type { QuarantineReader } from '../adapters/quarantine-reader.ts';
import type { Clock } from '../core/clock.ts';
import { boundedRange, type PageRequest, type StatusFilter } from '../core/history/listing.ts';
import {
  viewMessage,
  viewOptOut,
  viewPage,
  viewQuarantined,
  viewQuarantineEntry,
  viewReply,
  viewTimelineEntry,
} from '../core/history/view.ts';
import { type RouteName, routes } from '../core/query/routes.ts';
import type { CanonicalStatus } from '../core/statuses.ts';
import { type Asked, type QuestionSchemas, readQuestion } from './read-question.ts';

/** What is read to answer questions. */
export interface Sources {
  readonly reader: Pick<HistoryReader, 'message'>;
  readonly lists: HistoryLists;
  readonly quarantine: QuarantineReader;
  readonly clock: Clock;
}

/** Answers a question with JSON; undefined where what was asked for does not exist. */
export type Answer = (asked: Asked) => Promise<object | undefined>;

/** The answer to each question. They throw ParametersError, CursorError and EmptyRangeError for what cannot be asked. */
export function createAnswers({
  reader,
  lists,
  quarantine,
  clock,
}: Sources): Readonly<Record<RouteName, Answer>> {
  return {
    getMessage: answer(routes.getMessage, async ({ messageId }) => {
      const message = await reader.message(messageId);
      return message && viewMessage(message);
    }),

    listMessages: answer(routes.listMessages, async ({ state, status, limit, cursor, ...range }) => {
      const page = pageOf(limit, cursor);
      const messages =
        state === 'failed'
          ? await lists.failed({ ...boundedRange(range, clock()), ...statusesOf(status) }, page)
          : await lists.pending({ ...range, ...statusesOf(status) }, page);
      return viewPage(messages, viewMessage);
    }),

    getTimeline: answer(routes.getTimeline, async ({ status, limit, cursor, ...query }) => {
      const entries = await lists.phone({ ...query, ...statusesOf(status) }, pageOf(limit, cursor));
      return viewPage(entries, viewTimelineEntry);
    }),

    listSend: answer(routes.listSend, async ({ status, limit, cursor, ...query }) => {
      const messages = await lists.send({ ...query, ...statusesOf(status) }, pageOf(limit, cursor));
      return viewPage(messages, viewMessage);
    }),

    listReplies: answer(routes.listReplies, async ({ limit, cursor, ...range }) =>
      viewPage(await lists.replies(boundedRange(range, clock()), pageOf(limit, cursor)), viewReply),
    ),

    listOptOuts: answer(routes.listOptOuts, async ({ limit, cursor, ...range }) =>
      viewPage(await lists.optOuts(range, pageOf(limit, cursor)), viewOptOut),
    ),

    listQuarantine: answer(routes.listQuarantine, async ({ reason, limit, cursor, ...range }) => {
      const query = { ...boundedRange(range, clock()), ...(reason === undefined ? {} : { reason }) };
      return viewPage(await quarantine.list(query, pageOf(limit, cursor)), viewQuarantined);
    }),

    getQuarantineEntry: answer(routes.getQuarantineEntry, async ({ entryId }) => {
      const entry = await quarantine.entry(entryId);
      return entry && viewQuarantineEntry(entry);
    }),
  };
}

function answer<P extends z.ZodObject, Q extends z.ZodObject>(
  schemas: QuestionSchemas<P, Q>,
  respond: (question: z.output<P> & z.output<Q>) => Promise<object | undefined>,
): Answer {
  return async (asked) => respond(readQuestion(schemas, asked));
}

function pageOf(limit: number, cursor: string | undefined): PageRequest {
  return cursor === undefined ? { limit } : { limit, cursor };
}

function statusesOf(statuses: readonly CanonicalStatus[] | undefined): StatusFilter {
  return statuses === undefined ? {} : { statuses };
}
