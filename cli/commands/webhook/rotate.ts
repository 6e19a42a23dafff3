import { formatDuration } from '../../../functions/base/basics.ts';
import { namingSource } from '../../../functions/base/commands-of-source.ts';
import type { WebhookReport } from '../../../functions/registration/index.ts';
import { webhookReport } from '../../../functions/registration/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import type { Connection } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { readReport } from '../../target/stack/setup-function.ts';
import { formatTime } from '../../text/format.ts';
import { renderWebhook } from './render-webhook.ts';

interface RotateOptions extends TargetOptions, ConfirmOptions {
  readonly force?: true;
  readonly overlap: boolean;
}

const examples: CommandTexts = {
  output: webhookReport,
  examples: [
    'webhook rotate',
    'webhook rotate --force',
    'webhook rotate --force --no-overlap --confirm   (the secret leaked)',
  ],
  notes: 'A rotation that drops a secret asks on a terminal and needs --confirm elsewhere.',
};

/** Adds `webhook rotate`, which replaces the signing secret after a warning about what the rotation drops. */
export function addWebhookRotate(webhook: Command, context: Context): void {
  const command = webhook
    .command('rotate')
    .summary('make the SMS service sign with a new secret')
    .description(
      'Makes the SMS service sign with a new secret and stores it. The replaced secret stays accepted for the setting secretOverlapHours; until then another rotation is refused.',
    )
    .option(
      '--force',
      'rotate even while the previous secret is still accepted, or while the SMS service shows a replaced secret, and drop that secret',
    )
    .option('--no-overlap', 'drop the replaced secret at once, because it leaked');
  addTargetOptions(addConfirmOption(command, 'drop a secret without a question'))
    .explain(examples)
    .action(async (options: RotateOptions) => {
      const connection = context.connect(targetOf(options));
      const { force = false, overlap } = options;
      const dropped = await warnings(connection, { force, overlap }, context);
      for (const warning of dropped) context.terminal.err(`warning: ${warning}\n`);
      if (dropped.length > 0) await confirm(dropsSecret, options, context.terminal);
      // A script does not need this line.
      if (context.terminal.columns !== undefined)
        context.terminal.err('Rotating the secret; this takes a few seconds.\n');
      const report = readReport(await connection.invokeSetup({ action: 'rotate', force, overlap }));
      printResult(context, options, {
        json: () => report,
        text: (view) =>
          `${view.style('green', rotated(report, view.zone))}\n\n${namingSource(renderWebhook(report, context.clock(), view), options.source)}`,
      });
    });
}

const dropsSecret = {
  text: 'This rotation drops a secret that events may still be signed with',
  confirms: 'drops it',
  refused: 'Nothing was rotated.',
};

/** Describes what the rotation drops, before anything is changed. */
async function warnings(
  connection: Connection,
  { force, overlap }: { readonly force: boolean; readonly overlap: boolean },
  { terminal, clock }: Context,
): Promise<string[]> {
  const texts: string[] = [];
  if (force) {
    const { secret } = readReport(await connection.invokeSetup({ action: 'status' }));
    const { previousValidUntil, matchesService } = secret;
    if (previousValidUntil !== null)
      texts.push(
        `The previous secret is accepted for another ${formatDuration(Date.parse(previousValidUntil) - clock())} (until ${formatTime(previousValidUntil, terminal.zone)}); if the rotation succeeds, events still signed with it are refused from then on.`,
      );
    else if (matchesService === false)
      texts.push(
        'The SMS service shows a secret that is not stored here; if the rotation succeeds, events still signed with it are refused from then on.',
      );
  }
  if (!overlap)
    texts.push(
      'With --no-overlap, events signed with the current secret are refused as soon as the new one is stored, also those that the SMS service retries. An idle instance of ingest may accept the current secret for up to a minute more.',
    );
  return texts;
}

function rotated({ secret: { previousValidUntil } }: WebhookReport, zone: string): string {
  return previousValidUntil === null
    ? 'The secret was rotated; the previous one is no longer accepted.'
    : `The secret was rotated; the previous one is accepted until ${formatTime(previousValidUntil, zone)}.`;
}
