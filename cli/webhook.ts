import type { Command } from 'commander';
import * as z from 'zod';
import type { WebhookReport } from '../functions/core/webhook/registration.ts';
import type { SetupAction } from './connection.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failures.ts';
import { addTargetOptions, type TargetOptions, targetOf } from './options.ts';
import { printResult } from './print.ts';
import { renderWebhook } from './render-webhook.ts';
import { sanitize } from './text/sanitize.ts';

/** What is not named here is dropped, so that a secret an answer should not hold is not printed either. */
const report: z.ZodType<WebhookReport> = z.object({
  webhookUrl: z.string(),
  registeredUrl: z.string(),
  state: z.enum(['registered', 'elsewhere', 'deactivated', 'never-configured']),
  secret: z.object({
    stored: z.boolean(),
    matchesService: z.boolean().nullable(),
    since: z.string().nullable(),
    previousValidUntil: z.string().nullable(),
  }),
});

const failure = z.object({ error: z.object({ kind: z.string(), message: z.string() }) });

const actions: readonly {
  readonly action: SetupAction;
  readonly summary: string;
  readonly description: string;
}[] = [
  {
    action: 'status',
    summary: 'where the SMS service sends its events',
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
];

/** `webhook status|register|deactivate`: asks the setup function. No secret is ever shown. */
export function addWebhook(program: Command, context: Context): void {
  const webhook = program
    .command('webhook')
    .summary('the registration at the SMS service')
    .description('Shows, makes or ends the registration of this pipeline at the SMS service.');
  for (const { action, summary, description } of actions) {
    addTargetOptions(webhook.command(action).summary(summary).description(description))
      .addHelpText(
        'after',
        `\nExamples:\n  npm run -s sms -- webhook ${action} --local\n  npm run -s sms -- webhook ${action} --json\n\nExit codes: 0 done, 1 failed, 2 wrong usage.`,
      )
      .action(async (options: TargetOptions) => {
        const answer = readAnswer(await context.connect(targetOf(options)).invokeSetup(action));
        printResult(context, options, {
          json: () => answer,
          text: (view) => renderWebhook(answer, view),
        });
      });
  }
}

function readAnswer(answer: unknown): WebhookReport {
  const failed = failure.safeParse(answer);
  if (failed.success) {
    const { kind, message } = failed.data.error;
    throw new CommandFailure(`${sanitize(message)} (${sanitize(kind)})`);
  }
  const parsed = report.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(
    'The setup function answered something this version does not know: deploy (or npm start) from the same version as this command.',
  );
}
