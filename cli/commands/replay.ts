import type { Command } from 'commander';
import { addTargetOptions, notEmpty, sameTarget, type TargetOptions, targetOf } from '../input/options.ts';
import { readTime } from '../input/time-argument.ts';
import { printResult, type View, viewOf } from '../output/print.ts';
import type { Context, Terminal, Wait } from '../target/context.ts';
import { CommandFailure, UsageError } from '../target/errors.ts';
import { tolerating } from '../target/polling.ts';
import type { BusRule, EventArchive, ReplayProgress } from '../target/replay-access.ts';
import { formatTime } from '../text/format.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderFields } from '../text/table.ts';

const dayMs = 86_400_000;

/** From when to when events were published; ISO 8601. */
interface ReplayRange {
  readonly from: string;
  readonly to: string;
}

/** @throws UsageError for a range without a length, or one that is not over yet */
function checkRange({ from, to }: ReplayRange, now: number): void {
  if (from >= to) throw new UsageError('--from must be before --to.');
  if (Date.parse(to) > now) throw new UsageError('--to must not be in the future: --to now is the latest.');
}

/**
 * Says what of the range the archive may lack.
 *
 * @returns a warning, where a part was published before there was an archive
 * @throws CommandFailure for a range of which the archive dropped a part already, or that ended before there was one
 */
function checkKept(
  { from, to }: ReplayRange,
  { retentionDays, createdAt }: EventArchive,
  now: number,
  zone: string,
): string | undefined {
  const keptSince = retentionDays === undefined ? undefined : now - retentionDays * dayMs;
  if (keptSince !== undefined && Date.parse(from) < keptSince)
    throw new CommandFailure(
      `The archive keeps events for ${retentionDays} days (setting eventArchiveDays), so the earliest --from is ${formatTime(new Date(keptSince).toISOString(), zone)}.`,
    );
  if (createdAt === undefined || from >= createdAt) return undefined;
  const since = `The archive was made ${formatTime(createdAt, zone)}`;
  if (to <= createdAt) throw new CommandFailure(`${since}: it has nothing of that range.`);
  return `${since}: what was published before is not in it.`;
}

/** More than that are of no help in an error. */
const maxNamed = 20;

/**
 * Finds the rule that is meant: the one of this name, else the only one whose name has this part, whatever the case.
 *
 * @throws CommandFailure that names the bus's rules, the nearest first, where that is none or more than one
 */
function findRule(wanted: string, rules: readonly BusRule[]): BusRule {
  const exact = rules.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const word = wanted.toLowerCase();
  const [only, ...others] = rules.filter(({ name }) => name.toLowerCase().includes(word));
  if (only !== undefined && others.length === 0) return only;
  if (rules.length === 0) throw new CommandFailure('The event bus has no rule, so nothing would get events.');
  const problem =
    only === undefined
      ? `No rule of the event bus is named "${sanitize(wanted)}" or has that in its name.`
      : `${others.length + 1} rules of the event bus have "${sanitize(wanted)}" in their names: give more of one.`;
  throw new CommandFailure(`${problem} Its rules:\n${listed(nearestFirst(word, rules)).join('\n')}`);
}

function listed(rules: readonly BusRule[]): string[] {
  const names = rules.slice(0, maxNamed).map(({ name }) => `  ${name}`);
  const more = rules.length - names.length;
  return more > 0 ? [...names, `  and ${more} more`] : names;
}

/** By how much of the word's pairs of letters a name has: names of CDK are far longer than what people type. */
function nearestFirst(word: string, rules: readonly BusRule[]): BusRule[] {
  const wanted = pairsOf(word);
  const near = ({ name }: BusRule) => {
    const pairs = pairsOf(name.toLowerCase());
    return [...wanted].filter((pair) => pairs.has(pair)).length;
  };
  return rules.toSorted((a, b) => near(b) - near(a) || (a.name < b.name ? -1 : 1));
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** What a replay sends to where. */
interface ReplayPlan extends ReplayRange {
  readonly rule: string;
  /** ARNs. */
  readonly targets: readonly string[];
}

/** For machines. */
function viewPlan({ from, to, rule, targets }: ReplayPlan): object {
  return { from, to, rule, targets };
}

/** For people. */
function renderPlan({ from, to, rule, targets }: ReplayPlan, view: View): string {
  const time = (iso: string) => formatTime(iso, view.zone);
  return renderFields(
    [
      ['Events', `published from ${time(from)} to ${time(to)} that the rule matches`],
      ['Rule', sanitize(rule)],
      ['Targets', targets.length === 0 ? 'none' : targets.map(sanitize).join(', ')],
    ],
    view,
  );
}

/** Between two looks. */
const pollMs = 2_000;

const ended: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

interface ReplayWatching {
  /** Whether to look until it ends, or once. */
  readonly follow: boolean;
  readonly wait: () => Wait;
  /** IANA name of the reader's time zone. */
  readonly zone: string;
  readonly terminal: Pick<Terminal, 'err'>;
}

/** Says how a replay goes, each time that changes; gives how it was last. Looks that fail in passing are made again. */
async function watchReplay(
  look: () => Promise<ReplayProgress>,
  say: (line: string) => void,
  { follow, wait, zone, terminal }: ReplayWatching,
): Promise<ReplayProgress> {
  let last = await look();
  let said = lineOf(last, zone);
  say(said);
  if (!follow || ended.has(last.state)) return last;
  const goesOn = wait();
  const tolerate = tolerating(terminal);
  while (!ended.has(last.state) && (await goesOn(pollMs))) {
    last = (await tolerate(look)) ?? last;
    const line = lineOf(last, zone);
    if (line !== said) say(line);
    said = line;
  }
  return last;
}

function lineOf({ state, reachedAt }: ReplayProgress, zone: string): string {
  const reached = reachedAt === undefined ? '' : `, up to ${formatTime(reachedAt, zone)}`;
  return `${sanitize(state)}${reached}`;
}

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
