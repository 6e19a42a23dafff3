import type * as z from 'zod';
import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';
import type { HistoryLists, HistoryReader } from '../lists/history-list-store.ts';
import type { QuarantineReader } from '../lists/quarantine-list-store.ts';
import { boundedRange, type PageRequest, type StatusFilter } from '../lists/time-range.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ParameterProblem } from './problem.ts';
import { type RouteName, routes } from './routes.ts';
import {
  viewMessage,
  viewOptOut,
  viewPage,
  viewQuarantined,
  viewQuarantineEntry,
  viewReply,
  viewTimelineEntry,
} from './views.ts';

/** Thrown for a question with wrong parameters; names every one of them. */
export class ParametersError extends Error {
  override readonly name = 'ParametersError';
  readonly problems: readonly ParameterProblem[];

  constructor(problems: readonly ParameterProblem[]) {
    super(`${problems.length} parameters are wrong`);
    this.problems = problems;
  }
}

/** What a question is asked with. */
interface Asked {
  /** From the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** As the event tells it: without the question mark, percent-encoded. */
  readonly rawQueryString: string;
}

/** The schemas of a route. */
interface QuestionSchemas<P extends z.ZodObject, Q extends z.ZodObject> {
  readonly parameters: P;
  readonly query: Q;
}

/**
 * Validates the parameters of a question, all of them at once.
 *
 * @throws ParametersError
 */
function readQuestion<P extends z.ZodObject, Q extends z.ZodObject>(
  { parameters, query }: QuestionSchemas<P, Q>,
  asked: Asked,
): z.output<P> & z.output<Q> {
  const given = new URLSearchParams(asked.rawQueryString);
  const path = parameters.safeParse(asked.parameters);
  const rest = query.safeParse(Object.fromEntries(given));
  const known = Object.keys(query.shape);
  const problems: ParameterProblem[] = known
    .filter((name) => given.getAll(name).length > 1)
    .map((parameter) => ({ parameter, detail: 'given more than once' }));
  for (const { issues } of [path.error, rest.error].filter((error) => error !== undefined))
    problems.push(...issues.flatMap((issue) => problemsOf(issue, known)));
  if (path.success && rest.success && problems.length === 0) return { ...path.data, ...rest.data };
  throw new ParametersError(withoutRepeats(problems));
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): ParameterProblem[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ parameter: String(issue.path[0]), detail: issue.message }];
  const accepted = known.length === 0 ? 'there is none here' : `there are ${known.join(', ')}`;
  return issue.keys.map((key) => ({
    parameter: nameOf(key),
    detail: `no such parameter: ${accepted}`,
  }));
}

/** The name of a parameter as it was given, unless it is something else: an unknown one may hold a phone number. */
function nameOf(name: string): string {
  return /^[A-Za-z][\w-]{0,39}$/.test(name) && !/\d{4}/.test(name) ? name : '(unknown)';
}

/** Each word of a list that is wrong is an issue of its own. */
function withoutRepeats(problems: readonly ParameterProblem[]): ParameterProblem[] {
  return [...new Map(problems.map((one) => [`${one.parameter} ${one.detail}`, one])).values()];
}

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
