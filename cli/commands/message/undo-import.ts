import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import type { UndoneItems } from '../../../functions/history/index.ts';
import { type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { type TargetOptions, wholeTargetOf } from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import { countProgress } from '../../output/progress.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, ReportedFailure, UsageError } from '../../target/errors.ts';

export const undoSchema = z.object({
  dryRun: z.boolean(),
  importId: z.string(),
  messagesDeleted: z.int().describe('Messages that only the import had.'),
  messagesKept: z
    .int()
    .describe('Messages that other reports are of. They are as if the import had never been.'),
  repliesDeleted: z.int(),
  repliesKept: z.int(),
  statements: z.int().describe('Opt-outs and opt-ins that rows recorded, and that were removed.'),
  unreadable: z.int().describe('Items of the import that cannot be read, and stay as they are.'),
});

interface UndoOptions extends TargetOptions, ConfirmOptions {
  readonly undo: string;
  readonly dryRun?: true;
}

/** Removes what an import added. @throws CommandFailure if there is nothing of it */
export async function undoImport(
  files: readonly string[],
  options: UndoOptions,
  context: Context,
): Promise<void> {
  const { undo: importId, dryRun: isDryRun = false } = options;
  if (files.length > 0)
    throw new UsageError('--undo removes an import by its id, so it accepts no files. Remove them.');
  if (!isDryRun)
    await confirm(
      {
        text: `What the import ${importId} added is removed from the history (--dry-run only counts it)`,
        confirms: 'removes it',
        refused: 'Nothing was removed.',
      },
      options,
      context.terminal,
    );
  const access = await context.connect(wholeTargetOf(options)).historyImport();
  const onRead = countProgress(context, {
    doing: isDryRun ? 'Searching' : 'Undoing',
    unit: ['item', 'items'],
  });
  const undone = await access.undo(importId, { isDryRun, onRead });
  if (Object.values(undone).every((count) => count === 0))
    throw new CommandFailure(
      `The history has nothing of the import ${importId}. Compare the id with what the import showed, or a dry run of it with the same file and mapping. If it was undone before, nothing is left to do.`,
    );
  printResult(context, options, {
    json: () => ({ dryRun: isDryRun, importId, ...undone }),
    text: () => render(importId, undone, isDryRun),
  });
  if (undone.unreadable > 0) throw new ReportedFailure('Some items of the import stay.');
}

function render(importId: string, undone: UndoneItems, isDryRun: boolean): string {
  const { messagesDeleted, messagesKept, repliesDeleted, repliesKept, statements, unreadable } = undone;
  const lines = [
    ...deletedAndKept(messagesDeleted, messagesKept, ['message', 'messages']),
    ...deletedAndKept(repliesDeleted, repliesKept, ['reply', 'replies']),
    ...(statements === 0
      ? []
      : [`${formatCount(statements, 'opt-out or opt-in is', 'opt-outs and opt-ins are')} removed.`]),
    ...(unreadable === 0
      ? []
      : [`${formatCount(unreadable, 'item cannot be read, and stays', 'items cannot be read, and stay')}.`]),
  ];
  return [
    `Import ${importId}`,
    ...lines,
    isDryRun
      ? 'Nothing was written: this was a dry run.'
      : 'The import is undone. The figures still count what was deleted: sms insights rebuild corrects them.',
  ].join('\n');
}

function deletedAndKept(deleted: number, kept: number, [one, many]: readonly [string, string]): string[] {
  return [
    ...(deleted === 0
      ? []
      : [
          `${formatCount(deleted, `${one} is`, `${many} are`)} deleted, because only the import had ${deleted === 1 ? 'it' : 'them'}.`,
        ]),
    ...(kept === 0
      ? []
      : [
          `${formatCount(kept, `${one} keeps its`, `${many} keep their`)} other reports, as if the import had never been.`,
        ]),
  ];
}
