import type { Command } from 'commander';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { readReport, type SetupPayload } from '../../target/setup-function.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderWebhook } from './render-webhook.ts';
import { addWebhookRotate } from './rotate.ts';
import { addWebhookStoreSecret } from './store-secret.ts';

const actions: readonly {
  readonly action: Exclude<SetupPayload['action'], 'rotate' | 'capture'>;
  readonly summary: string;
  readonly description: string;
}[] = [
  {
    action: 'status',
    summary: 'where the SMS service sends its events, and how its secret stands',
    description:
      'Asks the SMS service where it sends its events, and compares that and the signing secret with this pipeline. Changes nothing.',
  },
  {
    action: 'register',
    summary: 'make the SMS service send its events here',
    description:
      'Makes the SMS service send its events to this pipeline and stores the signing secret. Doing it again changes nothing, so it is also the repair.',
  },
  {
    action: 'deactivate',
    summary: 'make the SMS service stop sending events here',
    description:
      "Makes the SMS service stop sending events to this pipeline. A webhook that sends to somebody else's URL is left alone.",
  },
  {
    action: 'reconcile',
    summary: 'what the schedule does every 5 minutes, now',
    description:
      'Looks for what was changed at the SMS service past this pipeline and repairs it, unless the setting webhookDrift is "report"; finishes a rotation that was left unfinished.',
  },
];

/** `webhook status|register|deactivate|reconcile|rotate`: asks the setup function; `store-secret`. No secret is ever shown. */
export function addWebhook(program: Command, context: Context): void {
  const webhook = program
    .command('webhook')
    .summary('the registration at the SMS service')
    .description(
      'Shows, makes or ends the registration of this pipeline at the SMS service, and rotates its secret.',
    );
  for (const { action, summary, description } of actions) {
    addTargetOptions(webhook.command(action).summary(summary).description(description))
      .addHelpText(
        'after',
        `\nExamples:\n  npm run -s sms -- webhook ${action} --local\n  npm run -s sms -- webhook ${action} --json\n\nExit codes: 0 done, 1 failed, 2 wrong usage.`,
      )
      .action(async (options: TargetOptions) => {
        const report = readReport(await context.connect(targetOf(options)).invokeSetup({ action }));
        printResult(context, options, {
          json: () => report,
          text: (view) => renderWebhook(report, context.clock(), view),
        });
        if (report.serviceFailure !== null)
          throw new CommandFailure(
            `The SMS service could not be asked: ${sanitize(report.serviceFailure)}. What is shown is what the pipeline knows.`,
          );
      });
  }
  addWebhookRotate(webhook, context);
  addWebhookStoreSecret(webhook, context);
}
