import { Option } from 'commander';
import pMap from 'p-map';
import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import {
  erasurePrefix,
  expiryOf,
  type Item,
  ifReadable,
  messagePrefix,
  optOutPrefix,
  replyPrefix,
  timesOf,
} from '../../../functions/history/index.ts';
import { readParts } from '../../copies/read-parts.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { addTargetOptions, type TargetOptions, wholeTargetOf } from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import { showProgress } from '../../output/progress.ts';
import { segments } from '../../stores/history-items.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';

const resultSchema = z.object({
  dryRun: z.boolean(),
  retentionDays: z.int(),
  items: z
    .int()
    .describe('Messages and replies that were read, and opt-outs and receipts that would expire.'),
  extended: z.int().describe('Those that are kept longer now, or would be.'),
});

const texts: CommandTexts = {
  output: resultSchema,
  examples: ['history extend --dry-run', 'history extend --confirm'],
  details:
    'A raised sms:retentionDays counts for what is stored or changed from then on. This command makes it count for every message and reply that is stored. It reads the whole history, and writes each item that expires earlier. If something else than the pipeline has let an opt-out or the receipt of an erasure expire, it is kept for ever again. The command shortens nothing, publishes nothing, and can be run again after an interruption.',
};

/** Adds `history extend`, which keeps what is stored for as long as the setting says now. */
export function addHistoryExtend(history: Command, context: Context): void {
  const command = history
    .command('extend')
    .summary('keep what is stored for as long as the retention says now')
    .description(
      'Lets stored messages and replies expire as the deployed retention says; --dry-run only counts.',
    )
    .addOption(
      new Option('--dry-run', 'count what would be kept longer; write nothing').conflicts(['confirm']),
    );
  addConfirmOption(command, 'extend it without a question');
  addTargetOptions(command)
    .explain(texts)
    .action((options: ExtendOptions) => extend(options, context));
}

interface ExtendOptions extends TargetOptions, ConfirmOptions {
  readonly dryRun?: true;
}

const concurrentWrites = 16;

async function extend(options: ExtendOptions, context: Context): Promise<void> {
  const isDryRun = options.dryRun === true;
  const connection = context.connect(wholeTargetOf(options));
  const here = await connection.historyItems();
  const { retentionDays } = await connection.historySettings();
  if (!isDryRun)
    await confirm(
      {
        text: `Each message and reply is kept for at least ${retentionDays} days after its last event (--dry-run only counts those that expire earlier)`,
        confirms: 'extends it',
        refused: 'Nothing was changed.',
      },
      options,
      context.terminal,
    );
  const continues = isDryRun ? async () => true : context.beginWaiting();
  const progress = showProgress(context, {
    doing: isDryRun ? 'Reading' : 'Extending',
    unit: ['item', 'items'],
    total: here.tables.history.items || undefined,
  });
  let [items, extended, isInterrupted] = [0, 0, false];

  async function extendItem(item: Item): Promise<void> {
    const expiry = expiryWith(item, retentionDays);
    if (expiry === undefined) return;
    items += 1;
    if (Number(item.expiresAt?.N ?? 0) >= expiry) return;
    const { pk = { S: '' } } = item;
    const expiresAt = expiry === Number.POSITIVE_INFINITY ? undefined : expiry;
    if (isDryRun || (await here.keepUntil({ pk }, expiresAt)) === 'written') extended += 1;
  }

  await readParts(
    Array.from({ length: segments }, (_, segment) => segment),
    (segment) => here.scan('history', segment),
    async (_, page) => {
      await pMap(page.items, extendItem, { concurrency: concurrentWrites });
      progress(items, formatCount(extended, 'item is kept longer', 'items are kept longer'));
      if (!(await continues(0))) isInterrupted = true;
      return !isInterrupted;
    },
  );
  if (isInterrupted)
    throw new CommandFailure(
      `Interrupted: ${formatCount(extended, 'item is', 'items are')} kept longer. Run the command again for the others.`,
    );
  printResult(context, options, {
    json: () => ({ dryRun: isDryRun, retentionDays, items, extended }),
    text: () =>
      isDryRun
        ? `${formatCount(extended, 'item expires', 'items expire')} earlier than ${retentionDays} days after the last event, of ${items}. Nothing was written: this was a dry run.`
        : `${formatCount(extended, 'item is', 'items are')} kept longer, of ${items}.`,
  });
}

/**
 * Returns the epoch seconds until which an item is to be kept: without an end for opt-outs and receipts of erasures, which only something else
 * than the pipeline can have let expire.
 *
 * @returns undefined for items that are kept as they are
 */
function expiryWith(item: Item, retentionDays: number): number | undefined {
  const isOf = (prefix: string) => item.pk?.S?.startsWith(prefix) === true;
  if (isOf(messagePrefix) || isOf(replyPrefix))
    return ifReadable(() => expiryOf(timesOf(item)[1], retentionDays));
  const isSpoiled = (isOf(optOutPrefix) || isOf(erasurePrefix)) && item.expiresAt !== undefined;
  return isSpoiled ? Number.POSITIVE_INFINITY : undefined;
}
