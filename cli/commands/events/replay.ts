import * as z from 'zod';
import { defaultStack } from '../../../contract/document/project-store.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import type { BoundedRange } from '../../../functions/history/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { readTime } from '../../input/time-argument.ts';
import { pollMs } from '../../output/follow.ts';
import { printResult, type View, viewOf } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { tolerating } from '../../target/polling.ts';
import type { BusRule } from '../../target/stack/bus-rules.ts';
import type { EventArchive, ReplayProgress } from '../../target/stack/replay-access.ts';
import { sameTarget } from '../../target/suggest.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderFields } from '../../text/table.ts';

const dayMs = 86_400_000;

/** @throws UsageError for an empty range or one that ends in the future */
function checkRange({ since, until }: BoundedRange, now: number): void {
  if (since >= until) throw new UsageError('--since must be before --until.');
  if (Date.parse(until) > now)
    throw new UsageError('--until must not be in the future: --until now is the latest.');
}

/**
 * Checks that the archive has the range.
 *
 * @returns a warning if a part of the range is older than the archive
 * @throws CommandFailure if a part of the range has expired or all of it is older than the archive
 */
function checkKept(
  { since, until }: BoundedRange,
  { retentionDays, createdAt }: EventArchive,
  now: number,
  zone: string,
): string | undefined {
  const keptSince = retentionDays === undefined ? undefined : now - retentionDays * dayMs;
  if (keptSince !== undefined && Date.parse(since) < keptSince)
    throw new CommandFailure(
      `The archive keeps events for ${retentionDays} days (setting eventArchiveDays), so the earliest --since is ${formatTime(new Date(keptSince).toISOString(), zone)}.`,
    );
  if (createdAt === undefined || since >= createdAt) return undefined;
  const created = `The archive was created ${formatTime(createdAt, zone)}`;
  if (until <= createdAt) throw new CommandFailure(`${created}: it has no events of that range.`);
  return `${created}: it has no events that were published before.`;
}

/** How many rules an error lists. */
const maxNamed = 20;

/**
 * Finds a rule by its name, or by a part that only its name contains; the case does not matter.
 *
 * @throws CommandFailure that lists the rules
 */
function findRule(query: string, rules: readonly BusRule[]): BusRule {
  const exact = rules.find(({ name }) => name === query);
  if (exact !== undefined) return exact;
  const [only, ...others] = rules.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  if (only !== undefined && others.length === 0) return only;
  if (rules.length === 0)
    throw new CommandFailure('The event bus has no rule, so nothing would receive the events.');
  const problem =
    only === undefined
      ? `No rule's name on the event bus contains "${sanitize(query)}".`
      : `The names of ${others.length + 1} rules on the event bus contain "${sanitize(query)}": use a longer part.`;
  throw new CommandFailure(`${problem} Its rules:\n${listed(mostSimilarFirst(query, rules)).join('\n')}`);
}

/** Sorts rules by how many of the query's pairs of letters their names have: names of the CDK are far longer than queries. */
function mostSimilarFirst(query: string, rules: readonly BusRule[]): BusRule[] {
  const queryPairs = pairsOf(query.toLowerCase());
  const similarity = ({ name }: BusRule) => {
    const pairs = pairsOf(name.toLowerCase());
    return [...queryPairs].filter((pair) => pairs.has(pair)).length;
  };
  return rules.toSorted((a, b) => similarity(b) - similarity(a) || (a.name < b.name ? -1 : 1));
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

function listed(rules: readonly BusRule[]): string[] {
  const names = rules.slice(0, maxNamed).map(({ name }) => `  ${name}`);
  const more = rules.length - names.length;
  return more > 0 ? [...names, `  and ${more} more`] : names;
}

/** The events of a replay and their destination. */
interface ReplayPlan extends BoundedRange {
  readonly rule: string;
  /** ARNs. */
  readonly targets: readonly string[];
}

function renderPlan({ since, until, rule, targets }: ReplayPlan, view: View): string {
  const time = (iso: string) => formatTime(iso, view.zone);
  return renderFields(
    [
      ['Events', `published from ${time(since)} to ${time(until)} that the rule matches`],
      ['Rule', sanitize(rule)],
      ['Targets', targets.length === 0 ? 'none' : targets.map(sanitize).join(', ')],
    ],
    view,
  );
}

const finalStates: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

/**
 * Prints the state of a replay, once or at each change until it ends. Retries after transient failures.
 *
 * @returns the last state
 */
async function watchReplay(
  read: () => Promise<ReplayProgress>,
  print: (line: string) => void,
  follow: boolean,
  { terminal, beginWaiting }: Context,
): Promise<ReplayProgress> {
  let progress = await read();
  let printed = lineOf(progress, terminal.zone);
  print(printed);
  if (!follow || finalStates.has(progress.state)) return progress;
  const wait = beginWaiting();
  const tolerate = tolerating(terminal);
  while (!finalStates.has(progress.state) && (await wait(pollMs))) {
    progress = (await tolerate(read)) ?? progress;
    const line = lineOf(progress, terminal.zone);
    if (line !== printed) print(line);
    printed = line;
  }
  return progress;
}

function lineOf({ state, reachedAt }: ReplayProgress, zone: string): string {
  const reached = reachedAt === undefined ? '' : `, up to ${formatTime(reachedAt, zone)}`;
  return `${sanitize(state)}${reached}`;
}

interface ReplayOptions extends TargetOptions {
  readonly since: string;
  readonly until: string;
  readonly rule: string;
  readonly dryRun?: true;
  readonly follow?: true;
}

const plan = z.object({
  since: z.string(),
  until: z.string(),
  rule: z.string(),
  targets: z.array(z.string()).describe('The ARNs of the targets of the rule.'),
});

const examples: CommandTexts = {
  output: z.union([
    plan.extend({ dryRun: z.literal(true) }),
    plan.extend({
      name: z.string().describe('The name of the replay.'),
      state: z.string().describe("EventBridge's word: STARTING, RUNNING, COMPLETED, FAILED, CANCELLED."),
      reachedAt: z.string().nullable().describe('The time of the last replayed event.'),
    }),
  ]),
  examples: [
    'events replay --since 2h --until now --rule Forward --dry-run',
    'events replay --since 2026-01-15T09:00 --until 2026-01-15T10:00 --rule Forward --follow',
  ],
  details:
    'The range is that of the publication, not of the occurrence, in whole minutes. The archive has an event some minutes after its publication. A replayed event keeps its eventId, so that consumers can ignore repeats. Only the named rule receives the events.',
};

/** Adds `events replay`, which sends archived events to one rule of the bus again. */
export function addEventsReplay(events: Command, context: Context): void {
  const command = events
    .command('replay')
    .summary('send archived events to a rule again')
    .description("Sends events from the bus's archive to one rule again; --dry-run only shows the plan.")
    .requiredOption(
      '--since <time>',
      'published from this time on: ISO 8601, today, yesterday, or 90s, 15m, 2h',
      notEmpty,
    )
    .requiredOption('--until <time>', 'published before this time, in the same forms, or now', notEmpty)
    .requiredOption('--rule <name>', 'the rule, by its name or a part that only its name contains', notEmpty)
    .option('--dry-run', 'show what would be replayed and where; start nothing')
    .option('--follow', 'show the progress until the end; Ctrl-C ends the output, not the replay');
  addTargetOptions(command)
    .explain(examples)
    .action((options: ReplayOptions) => replay(options, context));
}

async function replay(options: ReplayOptions, context: Context): Promise<void> {
  const { terminal } = context;
  const now = context.clock();
  const { zone } = terminal;
  const range = {
    since: await readTime(options.since, { option: '--since', now, zone }),
    until: await readTime(options.until, { option: '--until', now, zone }),
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
    throw new CommandFailure(
      `The rule ${sanitize(rule.name)} has no target: nothing would receive the events.`,
    );
  if (warning !== undefined) terminal.err(`warning: ${warning}\n`);
  if (options.dryRun === true) {
    printResult(context, options, {
      json: () => ({ ...plan, dryRun: true }),
      text: (view) => `${renderPlan(plan, view)}\n\nNothing was started: this was a dry run.`,
    });
    return;
  }
  const name = `sms-${new Date(now).toISOString().replaceAll(/[-:]|\..*/g, '')}-${context.newId().slice(0, 8)}`;
  const show = options.json === undefined ? terminal.out : terminal.isWatched ? terminal.err : () => {};
  const print = (text: string) => show(`${text}\n`);
  print(`${renderPlan(plan, viewOf(terminal, false))}\n`);
  await access.start({ ...range, name, archive, ruleArn: rule.arn });
  print(`Started as ${name}.`);
  const progress = await watchReplay(() => access.progress(name), print, options.follow === true, context);
  if (options.json !== undefined)
    printResult(context, options, {
      json: () => ({ ...plan, name, state: progress.state, reachedAt: progress.reachedAt ?? null }),
      text: () => '',
    });
  if (progress.state === 'FAILED' || progress.state === 'CANCELLED')
    throw new CommandFailure(
      `The replay ${name} ended as ${progress.state}${progress.reason === undefined ? '' : `: ${sanitize(progress.reason)}`}.`,
    );
  if (progress.state !== 'COMPLETED' && !target.local)
    print(
      `It continues by itself. To look again: aws events describe-replay --replay-name ${name}${lookOptions(options)}`,
    );
}

function lookOptions({ region, profile }: ReplayOptions): string {
  return sameTarget({
    local: false,
    directory: '.local',
    stack: defaultStack,
    ...omitUndefined({ region, profile }),
  });
}
