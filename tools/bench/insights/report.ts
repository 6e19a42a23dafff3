import { renderTable } from '../../support/table.ts';
import { costOf } from '../cost/prices.ts';
import type { Batching } from '../cost/template-facts.ts';
import { type InsightsUsage, insightsPerEvent, type Messages } from './usage.ts';

/** Dollars that the project aims at: for a million events in sends of 1,000 and more, and fixed a month. */
export const insightsTargets = { perMillion: 0.25, fixed: 1 };

/** Events a second in a send of 1,000 messages within a minute. */
const sendRate = 50;
/** A million events spread evenly over a month of 730 hours. */
const spreadRate = 1e6 / (730 * 3600);
const rates = [spreadRate, 1, 10, sendRate, 1000];

const titles: Readonly<Record<Messages, string>> = {
  single: 'messages in no send',
  sends: 'sends of 1,000, one after the other',
  sendsApart: 'sends of 1,000, an hour between them',
};

/** The watch runs every five minutes, and judges each quarter hour once, of ten countries. */
const watchRuns = (730 * 60) / 5;
const watchQuarters = 730 * 4;
/** Assumed: seconds of 512 MiB for a quarter hour and for any other run. */
const watchSeconds = { quarter: 1, other: 0.1 };
const alarms = { insights: 1, watch: 2 };

/** Dollars a month for insights, and for insights with the delivery watch, without any event. */
export function insightsFixed(): { readonly counters: number; readonly withWatch: number } {
  const counters = costOf('alarms', alarms.insights);
  const seconds = watchQuarters * watchSeconds.quarter + (watchRuns - watchQuarters) * watchSeconds.other;
  const watch =
    costOf('alarms', alarms.watch) +
    costOf('lambdaRequests', watchRuns) +
    costOf('lambdaGbSeconds', seconds / 2) +
    costOf('dynamoDbReadUnits', watchQuarters * 20 + watchRuns) +
    costOf('dynamoDbWriteUnits', watchQuarters);
  return { counters, withWatch: counters + watch };
}

/** Dollars for the counters of a million events. */
export function insightsPerMillion(usage: InsightsUsage): number {
  return (
    1e6 *
    (costOf('dynamoDbWriteUnits', usage.writeUnits) +
      costOf('dynamoDbReadUnits', usage.readUnits) +
      costOf('lambdaRequests', usage.invocations) +
      costOf('lambdaGbSeconds', usage.gbSeconds))
  );
}

/** What counters cost by rate and kind of traffic, and whether that is what the project aims at. */
export function insightsReport(batching: Batching): { readonly text: string; readonly isKept: boolean } {
  const cellsOf = (messages: Messages) =>
    rates.map((rate) => {
      const usage = insightsPerEvent(batching, rate, messages);
      return `${insightsPerMillion(usage).toFixed(2)} (${usage.writeUnits.toFixed(2)})`;
    });
  const kinds: readonly Messages[] = ['sends', 'sendsApart', 'single'];
  const inSends = insightsPerMillion(insightsPerEvent(batching, sendRate, 'sendsApart'));
  const { counters, withWatch } = insightsFixed();
  const isKept = inSends <= insightsTargets.perMillion && withWatch <= insightsTargets.fixed;
  const text = [
    'Insights: US dollars for a million events, and write units an event in brackets, by events a second',
    renderTable([
      ['', ...rates.map((rate) => (rate < 1 ? `${rate.toFixed(2)} (spread)` : String(rate)))],
      ...kinds.map((messages) => [titles[messages], ...cellsOf(messages)]),
    ]),
    `${isKept ? 'kept' : 'MISSED'}: ${inSends.toFixed(2)} in sends of 1,000 within a minute, an hour between them (${insightsTargets.perMillion} aimed at); fixed ${counters.toFixed(2)} a month, ${withWatch.toFixed(2)} with the delivery watch (${insightsTargets.fixed} aimed at)`,
  ].join('\n');
  return { text, isKept };
}
