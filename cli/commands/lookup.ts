import { Option } from 'commander';
import * as z from 'zod';
import { formatCount } from '../../functions/base/basics.ts';
import type { LookupRequest } from '../../functions/lookups/shapes.ts';
import { lookupCounts, maxSpanMs } from '../../functions/lookups/shapes.ts';
import type { Command, CommandTexts } from '../input/command.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from '../input/options.ts';
import { readTime } from '../input/time-argument.ts';
import { printResult, type View } from '../output/print.ts';
import { showProgress } from '../output/progress.ts';
import type { Connection } from '../target/connection.ts';
import type { Context } from '../target/context.ts';
import { CommandFailure, UsageError } from '../target/errors.ts';
import { readAnswer } from '../target/stack/lookup-function.ts';
import { MissingOutput } from '../target/stack/outputs.ts';
import { sanitize } from '../text/sanitize.ts';
import { type Cell, renderTable } from '../text/table.ts';

interface LookupOptions extends TargetOptions {
  readonly message?: string;
  readonly send?: string;
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: true;
}

const result = z.object({ dryRun: z.boolean(), ...lookupCounts });

const texts: CommandTexts = {
  output: result,
  examples: [
    'lookup --message msg-0001',
    'lookup --send send-0001 --dry-run',
    'lookup --since 2d',
    'lookup --since 2026-01-14 --until 2026-01-15 --dry-run',
  ],
  details:
    'Asks the SMS service for messages, and stores what the history lacks: messages about which no report arrived, and states that are more final. The pipeline does this by itself every 15 minutes; this command is for a message that a person asks about, and for the time of an outage. It needs lookups (docs/operate/lookups.md). A command that was interrupted is run again: nothing is stored twice.',
};

/** Adds `lookup`, which asks the service for messages. */
export function addLookup(program: Command, context: Context): void {
  const command = program
    .command('lookup')
    .summary('ask the SMS service for messages, and store what the history lacks')
    .description('Asks the SMS service for messages, and stores what the history lacks.')
    .addOption(
      new Option('--message <id>', 'one message').argParser(notEmpty).conflicts(['send', 'since', 'until']),
    )
    .addOption(
      new Option('--send <id>', 'the messages of one send').argParser(notEmpty).conflicts(['since', 'until']),
    )
    .option('--since <time>', 'the messages that were created from this time on', notEmpty)
    .option('--until <time>', 'before this time (default: now)', notEmpty)
    .option('--dry-run', 'compare, and store nothing');
  addTargetOptions(command)
    .explain(texts)
    .action(async (options: LookupOptions) => {
      const request = await readRequest(options, context);
      const { answer, failure } = await ask(request, context.connect(targetOf(options)), context);
      if (failure === undefined && request.action !== 'span' && answer.listed + answer.unreadable === 0)
        throw new CommandFailure(`The service does not know this ${request.action}.`);
      printResult(context, options, {
        json: () => answer,
        text: (view) => render(answer, view),
      });
      if (failure === undefined) return;
      context.terminal.err(`This is not everything. ${howToGoOn(failure.part, request)}\n`);
      throw failure.error;
    });
}

type Request = Exclude<LookupRequest, { readonly action: 'status' }>;
type Answer = z.output<typeof result>;

/** @throws UsageError */
async function readRequest(
  { message, send, since, until, ...options }: LookupOptions,
  { clock, terminal }: Context,
): Promise<Request> {
  const dryRun = options.dryRun === true;
  if (message !== undefined) return { action: 'message', messageId: message, dryRun };
  if (send !== undefined) return { action: 'send', sendId: send, dryRun };
  if (since === undefined) throw new UsageError('Expected --message, --send or --since.');
  const reading = { now: clock(), zone: terminal.zone };
  const span = {
    since: await readTime(since, { ...reading, option: '--since' }),
    until: await readTime(until ?? 'now', { ...reading, option: '--until' }),
  };
  if (span.since >= span.until) throw new UsageError('--since must be before --until.');
  return { action: 'span', ...span, dryRun };
}

/** Splits a span into days, because a service may list at most a day at once. */
function* partsOf(request: Request): Generator<Request> {
  if (request.action !== 'span') return yield request;
  const end = Date.parse(request.until);
  for (let since = Date.parse(request.since); since < end; since += maxSpanMs)
    yield {
      ...request,
      since: new Date(since).toISOString(),
      until: new Date(Math.min(since + maxSpanMs, end)).toISOString(),
    };
}

const maxChanges = 100;

/** What the parts until a failure, or all of them, answered. */
interface Asked {
  readonly answer: Answer;
  readonly failure?: { readonly error: unknown; readonly part: Request };
}

/** Asks until the last page. The function answers one part at a time. @throws if the first part fails */
async function ask(request: Request, connection: Connection, context: Context): Promise<Asked> {
  const progress = showProgress(context, { doing: 'Comparing', unit: ['message', 'messages'] });
  let total: Answer = {
    dryRun: request.dryRun ?? false,
    listed: 0,
    missing: 0,
    changed: 0,
    kept: 0,
    unreadable: 0,
    changes: [],
  };
  let answers = 0;
  for (const part of partsOf(request)) {
    let position: Request['position'];
    do {
      let answer: ReturnType<typeof readAnswer>;
      try {
        answer = readAnswer(
          await connection.invokeLookups({ ...part, ...(position !== undefined && { position }) }),
        );
      } catch (error) {
        if (error instanceof MissingOutput) throw new CommandFailure(noLookups);
        if (answers === 0) throw error;
        return { answer: total, failure: { error, part } };
      }
      answers += 1;
      total = {
        dryRun: total.dryRun,
        listed: total.listed + answer.listed,
        missing: total.missing + answer.missing,
        changed: total.changed + answer.changed,
        kept: total.kept + answer.kept,
        unreadable: total.unreadable + answer.unreadable,
        changes: [...total.changes, ...answer.changes].slice(0, maxChanges),
      };
      position = answer.position;
      progress(total.listed);
    } while (position !== undefined);
  }
  return { answer: total };
}

/** Returns how the rest is asked for after a part failed. The time before that part is done. */
function howToGoOn(part: Request, request: Request): string {
  return part.action === 'span' && request.action === 'span'
    ? `The same command with --since ${part.since} --until ${request.until} goes on.`
    : 'The same command asks again, and stores nothing twice.';
}

const noLookups =
  'This pipeline has no lookups. Set sms:lookups to on (in an app of your own: lookups: true), and deploy: docs/operate/lookups.md.';

function render({ dryRun, listed, missing, changed, kept, unreadable, changes }: Answer, view: View): string {
  const counts = renderTable(
    [{ title: 'OF THE SERVICE' }, { title: 'MESSAGES' }],
    [
      ['known, and in the same state', listed - missing - changed - kept],
      ...(kept > 0 ? [['known, and the other state here takes precedence', kept] as const] : []),
      [dryRun ? 'missing here' : 'missing here, and stored now', missing],
      [dryRun ? 'in another state here' : 'in another state here, and stored now', changed],
      ...(unreadable > 0 ? [['not readable by the contract', unreadable] as const] : []),
    ].map(([text, count]): Cell[] => [{ text: String(text) }, { text: String(count) }]),
    view,
  );
  if (changes.length === 0) return counts;
  const rows = changes.map(({ messageId, before, after }): Cell[] => [
    { text: sanitize(messageId) },
    { text: before === undefined ? 'missing' : sanitize(before) },
    { text: sanitize(after) },
  ]);
  const list = renderTable(
    [{ title: 'MESSAGE', maximum: 40 }, { title: 'HERE' }, { title: 'AT THE SERVICE' }],
    rows,
    view,
  );
  const more = missing + changed - changes.length;
  return `${counts}\n\n${list}${more > 0 ? `\nand ${formatCount(more, 'more message')}` : ''}`;
}
