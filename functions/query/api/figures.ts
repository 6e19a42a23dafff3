import { splitId } from '../../../contract/events/source-id.ts';
import { decodeCursor, encodeCursor, errorBehind } from '../../history/index.ts';
import {
  type Page,
  type PageRequest,
  requireRange,
  type SourceFilter,
  type TimeRange,
} from '../../history/shapes.ts';
import type { CounterReads, SendFigures } from '../../insights/index.ts';
import { visiblePartOfSend } from './masked-ids.ts';
import { ParametersError } from './routes/problem.ts';
import { hasPrefix } from './selections.ts';
import type { InsightGroup, InsightsView } from './views/figures-schemas.ts';
import { ofDay, type Periods, periodMs, viewInsights } from './views/figures-views.ts';

/**
 * Lists sends by the time of their earliest report, the newest first. A page may have fewer than the limit, or none, where others are left out.
 *
 * @throws CursorError
 */
export async function listSends(
  {
    limit,
    cursor,
    since,
    until,
    source,
    idPrefix,
  }: PageRequest & TimeRange & SourceFilter & { readonly idPrefix?: string | undefined },
  counters: CounterReads,
): Promise<Page<SendFigures>> {
  // A cursor of this list is valid for no other one.
  const sendsList = ['sends', ...(source === undefined ? [] : ['source', source])];
  const position = cursor === undefined ? undefined : decodeCursor(cursor, sendsList);
  const { sends: read, next } = await counters
    .sends({
      limit,
      ...(since !== undefined && { since: Date.parse(since) }),
      ...(until !== undefined && { until: Date.parse(until) }),
      ...(position !== undefined && { before: { first: Date.parse(position.at), pk: position.key ?? '' } }),
    })
    .catch((error: unknown) => {
      throw errorBehind(position, error);
    });
  const sends = read.filter(
    ({ sendId }) =>
      (source === undefined || splitId(sendId).source === source) &&
      (idPrefix === undefined || hasPrefix(visiblePartOfSend(sendId), idPrefix)),
  );
  if (next === undefined) return { entries: sends };
  const end = { at: new Date(next.first).toISOString(), partition: 0, key: next.pk };
  const page = { entries: sends, next: encodeCursor(end, sendsList) };
  return idPrefix === undefined || sends.length === limit ? page : { ...page, searchedTo: end.at };
}

interface InsightsQuery extends TimeRange, SourceFilter {
  readonly interval: 'hour' | 'day';
  readonly by: readonly InsightGroup[];
}

/** The longest ranges. Hours are read as their quarter hours, and a country of each is an item. */
export const maxDays = { hour: 8, day: 400 };

/** @throws EmptyRangeError, and ParametersError for a range that is too long */
export async function answerInsights(
  { interval, by, source, ...range }: InsightsQuery,
  counters: CounterReads,
  now: number,
): Promise<InsightsView> {
  const periods = periodsOf(interval, range, now);
  const tallies =
    interval === 'hour'
      ? await counters.quarters(periods.since, periods.until)
      : (await counters.days(dayOf(periods.since), dayOf(periods.until))).map(ofDay);
  const chosen = tallies.filter((one) => source === undefined || one.source === source);
  return viewInsights(periods, chosen, by);
}

/** Completes a range, and widens it to whole periods. */
function periodsOf(interval: 'hour' | 'day', range: TimeRange, now: number): Periods {
  const length = periodMs[interval];
  const end = range.until === undefined ? now : Date.parse(range.until);
  const begin =
    range.since === undefined ? end - (interval === 'hour' ? 1 : 30) * periodMs.day : Date.parse(range.since);
  requireRange({ since: new Date(begin).toISOString(), until: new Date(end).toISOString() });
  const since = begin - (begin % length);
  const until = Math.ceil(end / length) * length;
  if (until - since > (maxDays[interval] + 1) * periodMs.day)
    throw new ParametersError([
      {
        parameter: 'since',
        detail: `with interval=${interval} expected at most ${maxDays[interval]} days before until`,
      },
    ]);
  return { interval, since, until };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
