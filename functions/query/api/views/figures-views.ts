import { serviceIds } from '../../../../contract/events/source-id.ts';
import { canonicalStatuses, outcomeOf, rankOf } from '../../../../contract/schema/sms-event.ts';
import { compareText } from '../../../history/index.ts';
import {
  addTallies,
  type DayFigures,
  decimalOf,
  type Figures,
  figuresOf,
  type QuarterFigures,
  quantile,
  type SendFigures,
  timeOf,
  withoutNegative,
} from '../../../insights/index.ts';
import type {
  InsightGroup,
  InsightsView,
  OutcomeCounts,
  PeriodView,
  SendFiguresView,
  SendView,
} from './figures-schemas.ts';

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The rows of a histogram that people read. A row ends at its time. */
const histogramRows = [
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 3, 6, 12].map((hours) => hours * hourMs),
  dayMs,
];

export function viewSendFigures({ sendId, first, tally }: SendFigures): SendFiguresView {
  const figures = figuresOf(withoutNegative(tally));
  return {
    ...serviceIds({ sendId }),
    firstReportAt: isoOf(first),
    ...viewOutcomes(figures),
    statuses: viewStatuses(figures),
    failures: viewFailures(figures),
  };
}

export function viewSend(send: SendFigures): SendView {
  return { ...viewSendFigures(send), histogram: viewHistogram(figuresOf(withoutNegative(send.tally))) };
}

/** Hours or days in UTC. */
export interface Periods {
  readonly interval: 'hour' | 'day';
  /** The beginning of the first period, milliseconds since 1970. */
  readonly since: number;
  /** The end of the last period, milliseconds since 1970. */
  readonly until: number;
}

export const periodMs = { hour: hourMs, day: dayMs };

export const ofDay = ({ day, ...figures }: DayFigures): QuarterFigures => ({
  start: Date.parse(day),
  ...figures,
});

/** Returns the figures of a time, period by period. @param tallies of parts of the periods */
export function viewInsights(
  { interval, since, until }: Periods,
  tallies: readonly QuarterFigures[],
  by: readonly InsightGroup[],
): InsightsView {
  const periods = Map.groupBy(tallies, ({ start }) => start - (start % periodMs[interval]));
  return {
    since: isoOf(since),
    until: isoOf(until),
    interval,
    total: viewGroups(tallies, by),
    periods: [...periods]
      .sort(([a], [b]) => a - b)
      .map(([start, parts]): PeriodView => ({ start: isoOf(start), ...viewGroups(parts, by) })),
  };
}

function viewGroups(parts: readonly QuarterFigures[], by: readonly InsightGroup[]): InsightsView['total'] {
  const figures = figuresOf(sumOf(parts));
  return {
    ...viewOutcomes(figures),
    ...(by.includes('source') && { sources: viewSources(parts, by) }),
    ...(by.includes('country') && { countries: viewCountries(parts) }),
    ...(by.includes('status') && { statuses: viewStatuses(figures) }),
    ...(by.includes('reason') && { failures: viewFailures(figures) }),
  };
}

function viewSources(
  parts: readonly QuarterFigures[],
  by: readonly InsightGroup[],
): NonNullable<InsightsView['total']['sources']> {
  const within = by.filter((group) => group !== 'source');
  return [...Map.groupBy(parts, ({ source }) => source)]
    .map(([source, own]) => ({ source, ...viewGroups(own, within) }))
    .sort((a, b) => b.messages - a.messages || compareText(a.source, b.source));
}

function viewCountries(parts: readonly QuarterFigures[]): NonNullable<InsightsView['total']['countries']> {
  return [...Map.groupBy(parts, ({ country }) => country)]
    .map(([country, own]) => ({ country, ...viewOutcomes(figuresOf(sumOf(own))) }))
    .sort((a, b) => b.messages - a.messages || compareText(a.country, b.country));
}

// Each part without its negative counts, so that countries and periods add up to the total.
const sumOf = (parts: readonly QuarterFigures[]) =>
  addTallies(parts.map(({ tally }) => withoutNegative(tally)));

function viewOutcomes(figures: Figures): OutcomeCounts {
  const { messages, statuses, replies, optOuts, deliveryTimes, segments } = figures;
  let [delivered, failed] = [0, 0];
  for (const status of canonicalStatuses) {
    const [outcome, count = 0] = [outcomeOf(rankOf(status)), statuses[status]];
    if (outcome === 'success') delivered += count;
    if (outcome === 'failure') failed += count;
  }
  const pending = messages - delivered - failed;
  return {
    messages,
    delivered,
    failed,
    pending,
    replies,
    optOuts,
    timeToDelivery: viewTimes(deliveryTimes),
    segments,
    spend: figures.spend.map(({ currency, millionths, messages }) => ({
      currency,
      amount: decimalOf(millionths),
      messages,
    })),
  };
}

function viewTimes(times: Figures['deliveryTimes']): OutcomeCounts['timeToDelivery'] {
  const messages = [...times.values()].reduce((sum, count) => sum + count, 0);
  const at = (q: number) => Math.round(quantile(times, q) ?? 0);
  return messages === 0 ? null : { messages, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function viewStatuses({ statuses }: Figures): SendFiguresView['statuses'] {
  return Object.entries(statuses).map(([status, messages]) => ({ status, messages }));
}

function viewFailures({ failures }: Figures): SendFiguresView['failures'] {
  return failures.map(({ reason, code = null, count }) => ({ reason, code, messages: count }));
}

/** A message is in the row of its bucket's middle, so 2 % of a time may be in the neighbouring row. */
function viewHistogram({ deliveryTimes }: Figures): SendView['histogram'] {
  const rows = [...histogramRows.map((upTo) => ({ upTo, messages: 0 })), { upTo: null, messages: 0 }];
  for (const [bucket, count] of deliveryTimes) {
    const row = rows.find(({ upTo }) => upTo === null || timeOf(bucket) <= upTo);
    if (row !== undefined) row.messages += count;
  }
  return rows;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
