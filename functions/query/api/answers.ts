import type * as z from 'zod';
import { idsFor } from '../../../contract/events/source-id.ts';
import type { NumberRules } from '../../../contract/phone/phone-number.ts';
import { type Clock, omitUndefined } from '../../base/basics.ts';
import type { HistoryLists, HistoryReader, OptOutReader } from '../../history/index.ts';
import { boundedRange } from '../../history/shapes.ts';
import type { CounterReads } from '../../insights/index.ts';
import type { QuarantineReader } from '../../receive/index.ts';
import { conversationOf, search } from './conversation.ts';
import { answerInsights, listSends } from './figures.ts';
import { findOne } from './find-by-id.ts';
import type { sendMessagesQuery, sendPath } from './routes/parameters.ts';
import { type ParameterProblem, ParametersError } from './routes/problem.ts';
import { type RouteName, routes } from './routes/routes.ts';
import { selectMessages, selectOptOuts, selectReplies, selectTimeline } from './selections.ts';
import { viewSend, viewSendFigures } from './views/figures-views.ts';
import {
  type MessageRow,
  type PageView,
  viewMessage,
  viewMessageRow,
  viewOptOut,
  viewOptOutState,
  viewPage,
  viewQuarantined,
  viewQuarantineEntry,
  viewReply,
  viewTimelineEntry,
} from './views/views.ts';

/** Thrown for a query of figures if the pipeline counts nothing. */
export class InsightsOffError extends Error {
  override readonly name = 'InsightsOffError';

  constructor() {
    super('insights are off');
  }
}

/** The parameters of a request. */
interface QueryRequest {
  /** From the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** As the event has it: without the question mark, percent-encoded. */
  readonly rawQueryString: string;
  /** The JSON of the body; undefined without one. */
  readonly body: unknown;
}

/** The schemas of a route. */
interface QuerySchemas<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  readonly parameters: P;
  readonly query: Q;
  readonly body?: B;
}

/**
 * Validates all parameters of a query.
 *
 * @param sources the names that a parameter `source` may have
 * @throws ParametersError
 */
function parseQuery<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject>(
  { parameters, query, body }: QuerySchemas<P, Q, B>,
  request: QueryRequest,
  sources: readonly string[],
): z.output<P> & z.output<Q> & z.output<B> {
  const values = new URLSearchParams(request.rawQueryString);
  const path = parameters.safeParse(request.parameters);
  const rest = query.safeParse(Object.fromEntries(values));
  const known = Object.keys(query.shape);
  const problems: ParameterProblem[] = known
    .filter((name) => values.getAll(name).length > 1)
    .map((parameter) => ({ parameter, detail: 'given more than once' }));
  for (const { issues } of [path.error, rest.error].filter((error) => error !== undefined))
    problems.push(...issues.flatMap((issue) => problemsOf(issue, known)));
  const source = known.includes('source') ? values.get('source') : null;
  if (source !== null && !sources.includes(source))
    problems.push({ parameter: 'source', detail: `expected one of ${sources.join(', ')}` });
  const content = body?.safeParse(request.body);
  problems.push(
    ...(content?.error?.issues ?? []).flatMap((issue) => problemsOf(issue, Object.keys(body?.shape ?? {}))),
  );
  if (path.success && rest.success && problems.length === 0)
    return { ...path.data, ...rest.data, ...(content?.data as z.output<B>) };
  throw new ParametersError(withoutRepeats(problems));
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): ParameterProblem[] {
  if (issue.path.length === 0 && issue.code === 'invalid_type')
    return [{ parameter: 'body', detail: 'expected a JSON object' }];
  if (issue.code !== 'unrecognized_keys')
    return [{ parameter: String(issue.path[0]), detail: issue.message }];
  const accepted = known.length === 0 ? 'this query has no parameters' : `there are ${known.join(', ')}`;
  return issue.keys.map((key) => ({
    parameter: nameOf(key),
    detail: `no such parameter: ${accepted}`,
  }));
}

/** Returns the name of an unknown parameter, unless it may hold a phone number. */
function nameOf(name: string): string {
  return /^[A-Za-z][\w-]{0,39}$/.test(name) && !/\d{4}/.test(name) ? name : '(unknown)';
}

/** Removes repeats, because each wrong word of a list is an issue of its own. */
function withoutRepeats(problems: readonly ParameterProblem[]): ParameterProblem[] {
  return [...new Map(problems.map((one) => [`${one.parameter} ${one.detail}`, one])).values()];
}

/** What the answers are read from. */
export interface Stores {
  readonly reader: HistoryReader;
  readonly lists: HistoryLists;
  readonly optOuts: OptOutReader;
  readonly quarantine: QuarantineReader;
  /** Undefined if the pipeline counts nothing. */
  readonly counters: CounterReads | undefined;
  /** The names of the sources whose reports the history has. */
  readonly sources: readonly string[];
  readonly clock: Clock;
  /** How the contract writes numbers. */
  readonly numberRules: NumberRules;
}

/** The answer to a query: a view for JSON, or a page of rows for CSV. */
export type Answered =
  | { readonly kind: 'json'; readonly view: object }
  | { readonly kind: 'csv'; readonly page: PageView<MessageRow> };

/** Answers a query; undefined if the entry does not exist. */
export type Answer = (request: QueryRequest) => Promise<Answered | undefined>;

type SendQuery = z.output<typeof sendPath> & z.output<typeof sendMessagesQuery>;

/** Returns the answer to each query. Answers throw ParametersError, AmbiguousIdError, CursorError, EmptyRangeError and InsightsOffError. */
export function createAnswers({
  reader,
  lists,
  optOuts,
  quarantine,
  counters,
  sources,
  clock,
  numberRules,
}: Stores): Readonly<Record<RouteName, Answer>> {
  const requireCounters = () => {
    if (counters === undefined) throw new InsightsOffError();
    return counters;
  };

  function answer<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject>(
    schemas: QuerySchemas<P, Q, B>,
    respond: (query: z.output<P> & z.output<Q> & z.output<B>) => Promise<object | undefined>,
  ): Answer {
    return async (request) => {
      const view = await respond(parseQuery(schemas, request, sources));
      return view && { kind: 'json', view };
    };
  }

  /** Returns the id in the history of a send. Without messages it has none, and the list is empty. */
  async function sendNamed(text: string, among: readonly string[]): Promise<string> {
    const [only, ...others] = idsFor(text, among);
    if (only !== undefined && others.length === 0) return only;
    const found = await findOne(text, among, async (sendId) => {
      const { entries } = await lists.send({ sendId }, { limit: 1 });
      return entries[0];
    });
    return found?.id ?? text;
  }

  const listSend = async ({
    sendId,
    idPrefix,
    status,
    reason,
    code,
    source,
    channel,
    limit,
    cursor,
    ...range
  }: SendQuery) =>
    lists.send(
      {
        ...range,
        sendId: await sendNamed(sendId, source === undefined ? sources : [source]),
        ...omitUndefined({
          statuses: status,
          where: selectMessages({ maskedIdPrefix: idPrefix, reason, code, channel }),
        }),
      },
      omitUndefined({ limit, cursor }),
    );

  return {
    getMessage: answer(routes.getMessage, async ({ messageId }) => {
      const found = await findOne(messageId, sources, reader.message);
      return found && viewMessage(found.value);
    }),

    listMessages: answer(
      routes.listMessages,
      async ({
        state,
        order,
        status,
        idPrefix,
        reason,
        code,
        country,
        source,
        channel,
        limit,
        cursor,
        ...range
      }) => {
        const page = omitUndefined({ limit, cursor });
        const selected = omitUndefined({
          source,
          where: selectMessages({ maskedIdPrefix: idPrefix, reason, code, country, channel }),
        });
        const filter = { ...selected, ...omitUndefined({ statuses: status }) };
        const read = {
          failed: () => lists.failed({ ...boundedRange(range, clock()), ...filter }, page),
          pending: () => lists.pending({ ...range, ...filter, ...omitUndefined({ order }) }, page),
          unknown: () => lists.unknown({ ...boundedRange(range, clock()), ...selected }, page),
        };
        return viewPage(await read[state](), viewMessage);
      },
    ),

    getTimeline: answer(routes.getTimeline, async ({ status, channel, limit, cursor, ...query }) => {
      const entries = await lists.phone(
        { ...query, ...omitUndefined({ statuses: status, where: selectTimeline({ channel }) }) },
        omitUndefined({ limit, cursor }),
      );
      return viewPage(entries, viewTimelineEntry);
    }),

    search: answer(routes.search, ({ q }) => search(q, { reader, lists, optOuts, sources, numberRules })),

    getConversation: answer(
      routes.getConversation,
      async ({ of, status, channel, limit, cursor, ...range }) => {
        const phone = await conversationOf(of, { reader, sources });
        if (phone === undefined) return undefined;
        const [registered, entries] = await Promise.all([
          optOuts.number(phone),
          lists.phone(
            {
              ...range,
              phone,
              ...omitUndefined({ statuses: status, where: selectTimeline({ channel }) }),
            },
            omitUndefined({ limit, cursor }),
          ),
        ]);
        const page = viewPage(entries, viewTimelineEntry);
        return { number: phone, optOut: viewOptOutState(registered), ...page };
      },
    ),

    listSend: answer(routes.listSend, async (query) => viewPage(await listSend(query), viewMessage)),

    listSendCsv: async (request) => ({
      kind: 'csv',
      page: viewPage(await listSend(parseQuery(routes.listSendCsv, request, sources)), viewMessageRow),
    }),

    listSends: answer(routes.listSends, async (query) =>
      viewPage(await listSends(query, requireCounters()), viewSendFigures),
    ),

    getSend: answer(routes.getSend, async ({ sendId }) => {
      const found = await findOne(sendId, sources, requireCounters().send);
      return found && viewSend(found.value);
    }),

    getInsights: answer(routes.getInsights, async (query) =>
      answerInsights(query, requireCounters(), clock()),
    ),

    listReplies: answer(
      routes.listReplies,
      async ({ text, idPrefix, source, channel, limit, cursor, ...range }) =>
        viewPage(
          await lists.replies(
            {
              ...boundedRange(range, clock()),
              ...omitUndefined({
                source,
                where: selectReplies({ maskedText: text, maskedIdPrefix: idPrefix, channel }),
              }),
            },
            omitUndefined({ limit, cursor }),
          ),
          viewReply,
        ),
    ),

    listOptOuts: answer(routes.listOptOuts, async ({ by, limit, cursor, ...range }) =>
      viewPage(
        await lists.optOuts(
          { ...range, ...omitUndefined({ where: selectOptOuts({ by }) }) },
          omitUndefined({ limit, cursor }),
        ),
        viewOptOut,
      ),
    ),

    listQuarantine: answer(routes.listQuarantine, async ({ reason, source, limit, cursor, ...range }) => {
      const query = { ...boundedRange(range, clock()), ...omitUndefined({ reason, source }) };
      return viewPage(await quarantine.list(query, omitUndefined({ limit, cursor })), viewQuarantined);
    }),

    getQuarantineEntry: answer(routes.getQuarantineEntry, async ({ entryId }) => {
      const entry = await quarantine.entry(entryId);
      return entry && viewQuarantineEntry(entry);
    }),
  };
}
