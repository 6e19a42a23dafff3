import type { Command } from 'commander';
import type { Context } from './context.ts';
import { CommandFailure } from './failures.ts';
import { readTime } from './list/time-argument.ts';
import { addTargetOptions, notEmpty, sameTarget, type TargetOptions, targetOf } from './options.ts';
import { printResult, viewOf } from './print.ts';
import { type ReplayPlan, renderPlan, viewPlan } from './replay-plan.ts';
import { watchReplay } from './replay-progress.ts';
import { checkKept, checkRange } from './replay-range.ts';
import { findRule } from './replay-rule.ts';
import { sanitize } from './text/sanitize.ts';

interface ReplayOptions extends TargetOptions {
  readonly from: string;
  readonly to: string;
  readonly rule: string;
  readonly dryRun?: true;
  readonly wait?: true;
}

const examples = `
Examples:
  npm run -s sms -- replay --from 2h --to now --rule Forward --dry-run
  npm run -s sms -- replay --from 2026-01-15T09:00 --to 2026-01-15T10:00 --rule Forward --wait

The range is about when events were published, not when they occurred, and EventBridge reads it minute by minute. An event
is in the archive some minutes after it was published. A replayed event has the eventId that it had: whoever keeps those
does nothing twice. Only the rule that is named gets the events.
Exit codes: 0 shown or started (with --wait: completed), 1 failed, 2 wrong usage.`;

/** `replay`: sends archived events to one rule of the bus once more. */
export function addReplay(program: Command, context: Context): void {
  const command = program
    .command('replay')
    .summary('send archived events to a rule again')
    .description(
      "Sends events that the bus's archive keeps to one rule again; with --dry-run only says what.",
    )
    .requiredOption(
      '--from <time>',
      'published from then on: ISO 8601, today, yesterday, or 90s, 15m, 2h',
      notEmpty,
    )
    .requiredOption('--to <time>', 'up to then, in the same forms, or now', notEmpty)
    .requiredOption('--rule <name>', 'the rule, by its name or a part that only its name has', notEmpty)
    .option('--dry-run', 'say what would be replayed and to where; start nothing')
    .option('--wait', 'show how it goes until it ends; Ctrl-C ends the showing, not the replay');
  addTargetOptions(command)
    .addHelpText('after', examples)
    .action((options: ReplayOptions) => replay(options, context));
}

async function replay(options: ReplayOptions, context: Context): Promise<void> {
  const { terminal } = context;
  const now = context.clock();
  const { zone } = terminal;
  const range = {
    from: await readTime(options.from, { option: '--from', now, zone }),
    to: await readTime(options.to, { option: '--to', now, zone }),
  };
  checkRange(range, now);
  const target = targetOf(options);
  const access = await context.connect(target).replays();
  const archive = await access.archive();
  const warning = checkKept(range, archive, now, zone);
  const rule = findRule(options.rule, await access.rules());
  const plan: ReplayPlan = { ...range, rule: rule.name, targets: await access.targets(rule.name) };
  if (!rule.enabled)
    throw new CommandFailure(`The rule ${sanitize(rule.name)} is disabled: enable it first.`);
  if (plan.targets.length === 0)
    throw new CommandFailure(`The rule ${sanitize(rule.name)} has no target: nothing would get the events.`);
  if (warning !== undefined) terminal.err(`warning: ${warning}\n`);
  if (options.dryRun === true) {
    printResult(context, options, {
      json: () => ({ ...viewPlan(plan), dryRun: true }),
      text: (view) => `${renderPlan(plan, view)}\n\nNothing was started: that was a dry run.`,
    });
    return;
  }
  const name = `sms-${new Date(now).toISOString().replaceAll(/[-:]|\..*/g, '')}-${context.newId().slice(0, 8)}`;
  const say = options.json === true ? () => {} : (text: string) => terminal.out(`${text}\n`);
  say(`${renderPlan(plan, viewOf(terminal, false))}\n`);
  await access.start({ ...range, name, archive, ruleArn: rule.arn });
  say(`Started as ${name}.`);
  const waiting = { wait: context.beginWaiting, follow: options.wait === true, zone, terminal };
  const progress = await watchReplay(() => access.progress(name), say, waiting);
  if (options.json === true)
    printResult(context, options, {
      json: () => ({ ...viewPlan(plan), name, state: progress.state, reachedAt: progress.reachedAt ?? null }),
      text: () => '',
    });
  if (progress.state === 'FAILED' || progress.state === 'CANCELLED')
    throw new CommandFailure(
      `The replay ${name} ended as ${progress.state}${progress.reason === undefined ? '' : `: ${sanitize(progress.reason)}`}.`,
    );
  if (progress.state !== 'COMPLETED' && !target.local)
    say(
      `It goes on by itself. To look again: aws events describe-replay --replay-name ${name}${lookOptions(options)}`,
    );
}

function lookOptions({ region, profile }: ReplayOptions): string {
  return sameTarget({
    local: false,
    directory: '.local',
    prefix: 'SmsPipeline',
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
  });
}
