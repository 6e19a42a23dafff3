import * as z from 'zod';
import { mainSource } from '../../../contract/events/source-id.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { addTargetOptions, notEmpty, type TargetOptions, wholeTargetOf } from '../../input/options.ts';
import { correct } from '../../insights/correct.ts';
import { readKeywords } from '../../insights/keywords.ts';
import { type Measurement, measure } from '../../insights/measure.ts';
import { printResult, type View } from '../../output/print.ts';
import { countProgress } from '../../output/progress.ts';
import type { Context } from '../../target/context.ts';
import { ReportedFailure } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';

const resultSchema = z.object({
  items: z.int().describe('Messages and replies that were counted.'),
  compared: z.int().describe('Sends, quarter hours and days in a country that were compared.'),
  tooOld: z.int().describe('Those that are older than the history or the figures are kept.'),
  unsettled: z.int().describe('Sends of which replies moved to them meanwhile.'),
  differences: z.array(
    z.object({
      figures: z.string().describe('The send, or the time and the country.'),
      count: z.string().describe('The name of the count (docs/reference/data-model.md, "Insights").'),
      difference: z.int().describe('What the counters lack; negative for what they have too much.'),
    }),
  ),
});

const details =
  'Reads the whole history, and the changes that arrive meanwhile from its stream: figures and recount are compared at the same position of the stream, so nothing has to stop. Figures that are older than the history is kept are left out. Messages that were erased are in the figures, but no longer in the history. Opt-outs are counted by the keywords of the package; an app that was deployed with others names its file with --keywords.';

const verifyTexts: CommandTexts = {
  output: resultSchema,
  examples: ['insights verify', 'insights verify --json differences'],
  details: `${details} Exits with 1 where figures differ.`,
};

const rebuildTexts: CommandTexts = {
  output: resultSchema,
  examples: ['insights rebuild --confirm'],
  details: `${details} The differences are added to the figures while events go on arriving. A rebuild that was interrupted is run again.`,
};

interface RecountOptions extends TargetOptions {
  readonly keywords?: string;
}

/** Adds `insights verify`, which compares the figures with a recount. */
export function addInsightsVerify(insights: Command, context: Context): void {
  const command = insights
    .command('verify')
    .summary('compare the figures with a recount of the history')
    .description('Recounts the history while events arrive, and shows how the figures differ.');
  addTargetOptions(addKeywordsOption(command))
    .explain(verifyTexts)
    .action(async (options: RecountOptions) => {
      const { measurement } = await recount(options, context);
      const { differences } = measurement;
      print(measurement, options, context, 'Correct them with: sms insights rebuild');
      if (differences.length > 0) throw new ReportedFailure('The figures differ.');
    });
}

/** Adds `insights rebuild`, which corrects the figures by a recount. */
export function addInsightsRebuild(insights: Command, context: Context): void {
  const command = insights
    .command('rebuild')
    .summary('correct the figures by a recount of the history')
    .description('Recounts the history while events arrive, and corrects the figures.');
  addConfirmOption(addKeywordsOption(command), 'correct them without a question');
  addTargetOptions(command)
    .explain(rebuildTexts)
    .action(async (options: RecountOptions & ConfirmOptions) => {
      const { measurement, sources } = await recount(options, context);
      const { differences, corrected } = measurement;
      if (differences.length > 0) {
        const count = formatCount(
          differences.length,
          'send, quarter hour or day',
          'sends, quarter hours and days',
        );
        await confirm(
          {
            text: `The figures of ${count} are corrected. What was erased is no longer in them afterwards`,
            confirms: 'corrects them',
            refused: 'Nothing was corrected.',
          },
          options,
          context.terminal,
        );
        await correct(sources.writer(), corrected, differences);
      }
      print(measurement, options, context, 'They are corrected.');
    });
}

function addKeywordsOption(command: Command): Command {
  return command.option('--keywords <file>', 'the keywords that were deployed', notEmpty);
}

async function recount(options: RecountOptions, context: Context) {
  const keywordOf = await readKeywords(options.keywords);
  const sources = await context.connect(wholeTargetOf(options)).recount(context.newId);
  const onRead = countProgress(context, { doing: 'Counting', unit: ['item', 'items'] });
  return { sources, measurement: await measure(sources, keywordOf, context.clock, onRead) };
}

function print(measurement: Measurement, options: RecountOptions, context: Context, then: string): void {
  const { items, compared, tooOld, disturbed } = measurement;
  const differences = differencesOf(measurement);
  printResult(context, options, {
    json: () => ({ items, compared, tooOld, unsettled: disturbed, differences }),
    text: (view) => render(measurement, differences, view, then),
  });
}

type Difference = z.output<typeof resultSchema>['differences'][number];

function differencesOf({ differences }: Measurement): Difference[] {
  return differences.flatMap(({ cohort, tally }) => {
    const figures =
      cohort.kind === 'send'
        ? `send ${cohort.sendId}`
        : `${cohort.kind} ${new Date(cohort.start).toISOString().slice(0, cohort.kind === 'day' ? 10 : 16)} ${cohort.country}${cohort.source === mainSource ? '' : ` from ${cohort.source}`}`;
    return Object.entries(tally).map(([count, difference]) => ({ figures, count, difference }));
  });
}

/** The text shows at most this many differences; --json has all. */
const maxShown = 50;

function render(
  { items, compared, tooOld, disturbed }: Measurement,
  differences: readonly Difference[],
  view: View,
  then: string,
): string {
  const shown = differences.slice(0, maxShown);
  const rows = shown.map(({ figures, count, difference }) => [
    { text: sanitize(figures) },
    { text: sanitize(count) },
    { text: difference > 0 ? `+${difference}` : String(difference) },
  ]);
  const columns = [{ title: 'FIGURES OF' }, { title: 'COUNT' }, { title: 'DIFFERENCE' }];
  const more = differences.length - shown.length;
  return [
    ...(rows.length === 0 ? [] : [renderTable(columns, rows, view), '']),
    ...(more > 0 ? [`And ${more} more, which --json shows.`] : []),
    `Recounted ${formatCount(items, 'message or reply', 'messages and replies')}, and compared ${formatCount(compared, 'send, quarter hour or day', 'sends, quarter hours and days')}.`,
    ...(tooOld > 0
      ? [`${tooOld} are older than the history or the figures are kept, and were left out.`]
      : []),
    ...(disturbed > 0
      ? [
          `${disturbed} got replies that had waited for them, and were left out. Run the command again for them.`,
        ]
      : []),
    `Counts that differ: ${differences.length}.${differences.length > 0 ? ` ${then}` : ''}`,
  ].join('\n');
}
