import { Option } from 'commander';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { answerInsights, maxDays } from '../../../functions/query/index.ts';
import {
  type InsightGroup,
  type InsightsView,
  insightGroups,
  insightsSchema,
  ParametersError,
} from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addCsvOption, chosenFields } from '../../input/json-option.ts';
import { type ListOptions, lastDay, readRange } from '../../input/list-options.ts';
import { addTargetOptions, notEmpty, targetOf } from '../../input/options.ts';
import { type CsvRecord, openCsv } from '../../output/entry-format.ts';
import {
  costColumnsOf,
  countCells,
  countColumns,
  countCsvColumns,
  countRecord,
  describeCounts,
} from '../../output/figures-format.ts';
import { printResult, type View } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { UsageError } from '../../target/errors.ts';
import { tolerating } from '../../target/polling.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize, toJsonLine } from '../../text/sanitize.ts';
import { type Cell, type Column, renderTable } from '../../text/table.ts';

const examples: CommandTexts = {
  output: insightsSchema,
  examples: [
    'insights --since 7d --by country',
    'insights --since 30d --interval day --csv > delivery.csv',
    'insights --by reason --follow',
    'insights --since 30d --by source',
  ],
  details:
    'Messages count at the time of their earliest report, replies at their own. Without --since the range is the last 24 hours. With --source the figures are those of one source, of a pipeline with several.',
};

type InsightsOptions = Pick<ListOptions, 'since' | 'until' | 'csv' | 'follow' | 'json'> &
  Parameters<typeof targetOf>[0] & { readonly interval?: 'hour' | 'day'; readonly by?: InsightGroup };

/** The pause between two reads: each reads a day of quarter hours and countries, and the counters are about so late. */
const followMs = 10_000;

/** Ranges that are longer are shown by day. */
const maxHoursMs = 2 * 86_400_000;

/** Adds `insights show`, which is also what `insights` does. */
export function addInsightsShow(insights: Command, context: Context): void {
  const command = insights
    .command('show', { isDefault: true })
    .summary('how much was delivered, how fast, and what failed')
    .description('Shows how many messages were delivered, how fast, and what failed.')
    .option('--since <time>', 'from this time on', notEmpty)
    .option('--until <time>', 'before this time', notEmpty)
    .addOption(
      new Option('--interval <length>', 'hours of at most 8 days, or days of at most 400 (UTC)').choices([
        'hour',
        'day',
      ]),
    )
    .addOption(new Option('--by <what>', 'the whole range, divided by this').choices([...insightGroups]))
    .addOption(
      new Option('--follow', 'show the total again each time it changes; Ctrl-C ends it').conflicts([
        'csv',
        'until',
      ]),
    );
  addCsvOption(addTargetOptions(command))
    .explain(examples)
    .action(async (options: InsightsOptions) => {
      const { terminal, clock } = context;
      const asked = await readRange(options, context);
      const { since } = lastDay(asked, clock());
      const { until } = asked;
      const { source } = options;
      const length = (until === undefined ? clock() : Date.parse(until)) - Date.parse(since);
      const interval = options.interval ?? (length > maxHoursMs ? 'day' : 'hour');
      const by = options.by === undefined ? [] : [options.by];
      const counters = await context.connect(targetOf(options)).counters();
      const read = () =>
        answerInsights({ interval, by, since, ...omitUndefined({ until, source }) }, counters, clock()).catch(
          (error: unknown) => {
            if (!(error instanceof ParametersError)) throw error;
            throw new UsageError(
              `--since: ${interval === 'hour' ? 'hours' : 'days'} of at most ${maxDays[interval]} days can be shown. Choose a shorter range${interval === 'hour' ? ', or --interval day' : ''}.`,
            );
          },
        );

      const insights = await read();
      if (options.follow === true) await follow(insights);
      else if (options.csv === true) {
        const { columns, records } = csvOf(insights, options.by);
        terminal.out(openCsv(columns)(records));
      } else
        printResult(context, options, {
          json: () => insights,
          text: (view) => render(insights, options.by, view),
        });

      async function follow(first: InsightsView): Promise<void> {
        const wait = context.beginWaiting();
        const tolerate = tolerating(terminal);
        let [shown, current] = ['', first];
        do {
          const { json } = options;
          const line =
            json === undefined
              ? [describeCounts(current.total), ...groupLines(current.total, options.by)].join('\n  ')
              : toJsonLine(chosenFields(current, json));
          const time =
            json === undefined ? `${formatTime(new Date(clock()).toISOString(), terminal.zone)}  ` : '';
          if (line !== shown) terminal.out(`${time}${line}\n`);
          shown = line;
          if (!(await wait(followMs))) return;
          current = (await tolerate(read)) ?? current;
        } while (!terminal.closed());
      }
    });
}

type Total = InsightsView['total'];

interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Returns the groups of a total as a table. */
function groupTable(total: Total, by: InsightGroup): Rows {
  if (by === 'source' || by === 'country') {
    const cost = costColumnsOf(total);
    const { sources = [], countries = [] } = total;
    return {
      columns: [{ title: by.toUpperCase() }, ...countColumns, ...cost.columns],
      rows: [...sources, ...countries].map((one) => [
        { text: 'source' in one ? one.source : one.country },
        ...countCells(one),
        ...cost.cells(one),
      ]),
    };
  }
  const messages = (count: number): Cell => ({ text: String(count) });
  if (by === 'status')
    return {
      columns: [{ title: 'STATUS' }, { title: 'MESSAGES' }],
      rows: (total.statuses ?? []).map((one) => [{ text: one.status }, messages(one.messages)]),
    };
  return {
    columns: [{ title: 'REASON' }, { title: 'CODE' }, { title: 'MESSAGES' }],
    rows: (total.failures ?? []).map((one) => [
      { text: sanitize(one.reason) },
      { text: sanitize(one.code ?? '') },
      messages(one.messages),
    ]),
  };
}

function groupLines(total: Total, by: InsightGroup | undefined): string[] {
  return by === undefined
    ? []
    : groupTable(total, by).rows.map((row) => row.map(({ text }) => text).join('  '));
}

function render(insights: InsightsView, by: InsightGroup | undefined, view: View): string {
  const { total, periods, interval } = insights;
  const cost = costColumnsOf(total);
  const table: Rows =
    by === undefined
      ? {
          columns: [
            { title: interval === 'hour' ? `HOUR (${view.zone})` : 'DAY (UTC)' },
            ...countColumns,
            ...cost.columns,
          ],
          rows: periods.map((period) => [
            { text: interval === 'hour' ? formatTime(period.start, view.zone) : period.start.slice(0, 10) },
            ...countCells(period),
            ...cost.cells(period),
          ]),
        }
      : groupTable(total, by);
  const range = `From ${formatTime(insights.since, view.zone)} until ${formatTime(insights.until, view.zone)}`;
  return [
    view.style('bold', range),
    ...(table.rows.length === 0 ? [] : [renderTable(table.columns, table.rows, view)]),
    `${describeCounts(total)}.`,
  ].join('\n\n');
}

/** Returns a record for each period, or for each group of each period. */
function csvOf({ periods }: InsightsView, by: InsightGroup | undefined) {
  if (by === undefined)
    return {
      columns: ['start', ...countCsvColumns],
      records: periods.map((period): CsvRecord => ({ start: period.start, ...countRecord(period) })),
    };
  if (by === 'source' || by === 'country')
    return {
      columns: ['start', by, ...countCsvColumns],
      records: periods.flatMap(({ start, sources = [], countries = [] }) =>
        [...sources, ...countries].map(
          (one): CsvRecord => ({
            start,
            [by]: 'source' in one ? one.source : one.country,
            ...countRecord(one),
          }),
        ),
      ),
    };
  return {
    columns: ['start', ...(by === 'status' ? ['status'] : ['reason', 'code']), 'messages'],
    records: periods.flatMap(({ start, statuses = [], failures = [] }) =>
      [...statuses, ...failures].map((one): CsvRecord => ({ start, ...one })),
    ),
  };
}
