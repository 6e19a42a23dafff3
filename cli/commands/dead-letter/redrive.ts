import * as z from 'zod';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addTargetOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import type { DeadLetterQueue } from '../../stores/dead-letter-queue.ts';
import type { Context } from '../../target/context.ts';
import { findQueue } from '../../target/dead-letter-queues.ts';
import { CommandFailure, explainOrName } from '../../target/errors.ts';
import { formatCount } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { deadLetterAdvice, withoutSource } from './dead-letter-content.ts';

interface RedriveOptions extends TargetOptions {
  readonly dryRun?: true;
  readonly limit?: number;
}

/** How many messages are moved between two checks for Ctrl-C; a round takes a second or two. */
const roundSize = 100;

const found = z.object({ queue: z.string(), destination: z.string(), waiting: z.int(), inFlight: z.int() });

const examples: CommandTexts = {
  output: z.discriminatedUnion('dryRun', [
    found.extend({ wouldMove: z.int(), dryRun: z.literal(true) }),
    found.extend({
      moved: z.int(),
      left: z
        .int()
        .nullable()
        .describe('About how many messages are left; null where they could not be counted.'),
      dryRun: z.literal(false),
    }),
  ]),
  examples: [
    'dead-letter redrive DeadLetterQueueUrl --dry-run',
    'dead-letter redrive DeadLetterQueueUrl',
    'dead-letter redrive Forward --limit 10',
  ],
  details: `A message is deleted only after the other queue has confirmed it. After an interruption a message may be in both queues, which is harmless: its consumer ignores repeats. The command moves at most as many messages as waited at its start, so that messages that fail again at once do not loop. Ctrl-C ends it between two rounds of ${roundSize}; run it again to continue.`,
};

/** Adds `dead-letter redrive <queue>`, which moves the messages of a dead-letter queue to its source queue. */
export function addDeadLetterRedrive(deadLetter: Command, context: Context): void {
  const command = deadLetter
    .command('redrive')
    .summary('send the messages of a queue back to its source')
    .description('Moves the messages of a dead-letter queue to its source queue; --dry-run only counts them.')
    .argument('<queue>', 'its name in dead-letter list, or a part that only it has', notEmpty)
    .option('--dry-run', 'show what would be moved and where; change nothing')
    .option('--limit <count>', 'how many messages at most (default: all)', wholeNumber(1, 999_999_999));
  addTargetOptions(command)
    .explain(examples)
    .action((query: string, options: RedriveOptions) => redrive(query, options, context));
}

async function redrive(query: string, options: RedriveOptions, context: Context): Promise<void> {
  const queues = await context.connect(targetOf(options)).deadLetterQueues();
  const { name, source, queue } = findQueue(query, queues);
  if (source === undefined) throw new CommandFailure(noSource(name));
  const { waiting, inFlight } = await queue.count();
  const limit = Math.min(options.limit ?? Number.POSITIVE_INFINITY, waiting);
  const view = { queue: name, destination: source.name, waiting, inFlight };
  if (options.dryRun === true) {
    printResult(context, options, {
      json: () => ({ ...view, wouldMove: limit, dryRun: true }),
      text: () =>
        `Would move about ${limit} of ${formatCount(waiting, 'message')} from ${name} to ${source.name}.${hidden(inFlight)}\n\nNothing was moved: this was a dry run.`,
    });
    return;
  }
  const { moved, failure } = await moveAll(queue, source.url, limit, context);
  // The result is printed even where this count fails.
  const left = await queue.count().catch(() => undefined);
  printResult(context, options, {
    json: () => ({
      ...view,
      moved,
      left: left === undefined ? null : left.waiting + left.inFlight,
      dryRun: false,
    }),
    text: () => {
      const stillWaiting =
        left === undefined || left.waiting === 0 ? '' : ` Still waiting: about ${left.waiting}.`;
      return `Moved ${formatCount(moved, 'message')} from ${name} to ${source.name}.${stillWaiting}${hidden(left?.inFlight ?? 0)}`;
    },
  });
  if (failure !== undefined) throw new CommandFailure(failure);
  const hiddenCount = (left ?? { inFlight }).inFlight;
  if (moved === 0 && hiddenCount > 0)
    throw new CommandFailure(
      `Nothing was moved, and the queue is not empty: ${formatCount(hiddenCount, 'message')} in flight. Run it again in two minutes.`,
    );
}

interface MoveResult {
  readonly moved: number;
  /** Why the command ended early; undefined where it did not. */
  readonly failure: string | undefined;
}

async function moveAll(
  queue: DeadLetterQueue,
  destinationUrl: string,
  max: number,
  { beginWaiting }: Context,
): Promise<MoveResult> {
  const continues = beginWaiting();
  let moved = 0;
  while (moved < max) {
    const round = await moveRound(queue, destinationUrl, Math.min(roundSize, max - moved));
    moved += round.moved;
    if (round.failure !== undefined) return { moved, failure: round.failure };
    if (round.moved === 0) break;
    if (moved < max && !(await continues(0)))
      return { moved, failure: 'Interrupted: the other messages were not moved. Run it again to continue.' };
  }
  return { moved, failure: undefined };
}

async function moveRound(queue: DeadLetterQueue, destinationUrl: string, max: number): Promise<MoveResult> {
  try {
    const letters = await queue.receive(max);
    const { sent, failure, deleteErrors } = await queue.move(letters, destinationUrl);
    const unsent = letters.length - sent;
    const problems: string[] = [];
    if (unsent > 0)
      problems.push(
        `Not sent, and still in the queue: ${formatCount(unsent, 'message')}. ${explainOrName(failure)}`,
      );
    if (deleteErrors.length > 0)
      problems.push(
        `Some were sent and could not be deleted (${deleteErrors.map(sanitize).join(', ')}): they are in both queues. The next redrive sends them again, which changes nothing.`,
      );
    return { moved: sent, failure: problems.length === 0 ? undefined : problems.join('\n') };
  } catch (error) {
    return { moved: 0, failure: explainOrName(error) };
  }
}

function noSource(name: string): string {
  const kinds = withoutSource.map((kind) => `  ${deadLetterAdvice[kind]}`);
  return `The messages in ${name} came from no queue and cannot be redriven. dead-letter show ${name} shows their kinds:\n${kinds.join('\n')}`;
}

function hidden(inFlight: number): string {
  return inFlight === 0
    ? ''
    : ` In flight: ${formatCount(inFlight, 'message')} that another program has received; look again in two minutes.`;
}
