import { namingSource } from '../../../functions/base/commands-of-source.ts';
import { webhookReport } from '../../../functions/registration/shapes.ts';
import type { Command } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import { awaitSetup } from '../../output/progress.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { readReport } from '../../target/stack/setup-function.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderWebhook } from './render-webhook.ts';

const actions = [
  {
    action: 'status',
    summary: 'show the registration and the state of its secret',
    description:
      'Asks the SMS service where it sends its events, and compares that and the signing secret with this pipeline. Changes nothing.',
  },
  {
    action: 'register',
    summary: 'make the SMS service send its events here',
    description:
      'Makes the SMS service send its events to this pipeline and stores the signing secret; also the repair. Where another URL has them, it asks on a terminal and needs --confirm elsewhere.',
  },
  {
    action: 'deactivate',
    summary: 'make the SMS service stop sending events here',
    description:
      'Makes the SMS service stop sending events to this pipeline. It leaves a webhook with another URL alone. It asks on a terminal and needs --confirm elsewhere.',
  },
  {
    action: 'reconcile',
    summary: 'run the scheduled reconciliation now',
    description:
      'Detects changes that were made at the SMS service itself and repairs them, unless the setting webhookDrift is "report". Completes an unfinished rotation.',
  },
] as const;

const losesEvents = {
  text: 'Events from now on never reach this pipeline, and it cannot fetch them later',
  confirms: 'deactivates the webhook',
  refused: 'Nothing was changed.',
};

const movesEvents = (url: string) => ({
  text: `The SMS service sends its events to ${sanitize(url)}, and would send them here instead`,
  confirms: 'registers this pipeline',
  refused: 'Nothing was changed.',
});

/** Adds `webhook status|register|deactivate|reconcile`, which ask the setup function. They never show a secret. */
export function addWebhookActions(webhook: Command, context: Context): void {
  for (const { action, summary, description } of actions) {
    const command = webhook.command(action).summary(summary).description(description);
    if (action === 'deactivate') addConfirmOption(command, 'deactivate it without a question');
    if (action === 'register') addConfirmOption(command, 'take it over from another URL without a question');
    addTargetOptions(command)
      .explain({ examples: [`webhook ${action}`, `webhook ${action} --json`], output: webhookReport })
      .action(async (options: TargetOptions & ConfirmOptions) => {
        const target = targetOf(options);
        const connection = context.connect(target);
        if (action === 'deactivate') await confirm(losesEvents, options, context.terminal);
        if (action === 'register') {
          const { state, registeredUrl } = readReport(await connection.invokeSetup({ action: 'status' }));
          if (state === 'elsewhere') await confirm(movesEvents(registeredUrl), options, context.terminal);
        }
        const report = readReport(await awaitSetup(context.terminal, connection.invokeSetup({ action })));
        printResult(context, options, {
          json: () => report,
          text: (view) => namingSource(renderWebhook(report, context.clock(), view), target.source),
        });
        if (report.serviceFailure !== null)
          throw new CommandFailure(
            `The SMS service did not answer: ${sanitize(report.serviceFailure)}. The output shows only what the pipeline has stored.`,
          );
      });
  }
}
