import { Option } from 'commander';
import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addTargetOptions,
  notEmpty,
  type TargetOptions,
  wholeNumber,
  wholeTargetOf,
} from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import type { Target } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { findQueue } from '../../target/stack/dead-letter-queues.ts';
import { suggest } from '../../target/suggest.ts';
import { deadLetterAdvice, withoutSource } from './dead-letter-content.ts';
import { describeMove, isUnderWay, lastMove, viewMove } from './last-move.ts';
import { moveByHand, roundSize } from './move-by-hand.ts';
import { moveWithinSqs, underWay } from './move-within-sqs.ts';

interface RedriveOptions extends TargetOptions {
  readonly dryRun?: true;
  readonly limit?: number;
  readonly cancel?: true;
}

const found = z.object({ queue: z.string(), destination: z.string(), waiting: z.int(), inFlight: z.int() });

const examples: CommandTexts = {
  output: z.union([
    found.extend({ wouldMove: z.int(), move: lastMove, dryRun: z.literal(true) }),
    found.extend({
      moved: z.int(),
      state: z.string().describe('`running` where SQS goes on moving messages.'),
      left: z
        .int()
        .nullable()
        .describe('About how many messages are left; null if they could not be counted.'),
      dryRun: z.literal(false),
    }),
    z.object({ queue: z.string(), destination: z.string(), state: z.literal('cancelling') }),
  ]),
  examples: [
    'dead-letter redrive DeadLetterQueueUrl --dry-run',
    'dead-letter redrive DeadLetterQueueUrl',
    'dead-letter redrive Forward --limit 10',
  ],
  notes:
    'SQS moves the messages by itself, also after Ctrl-C; --cancel ends that. With --limit, and on this machine, this command moves them, until Ctrl-C.',
  details: `A message is deleted only after the other queue has it. After an interruption a message may be in both queues, which is harmless: its consumer ignores repeats. SQS has one move of a queue at a time. A move needs sqs:StartMessageMoveTask, ListMessageMoveTasks, ReceiveMessage, DeleteMessage and GetQueueAttributes on the dead-letter queue, sqs:SendMessage and GetQueueAttributes on its source, and --cancel sqs:CancelMessageMoveTask. What this command moves itself is at most as many messages as waited at its start, so that messages that fail again at once do not loop, in rounds of ${roundSize}; run it again to continue.`,
};

/** Adds `dead-letter redrive <queue>`, which moves the messages of a dead-letter queue to its source queue. */
export function addDeadLetterRedrive(deadLetter: Command, context: Context): void {
  const command = deadLetter
    .command('redrive')
    .summary('send the messages of a queue back to its source')
    .description('Moves the messages of a dead-letter queue to its source queue; --dry-run only counts them.')
    .argument('<queue>', 'its name in dead-letter list, or a part that only it has', notEmpty)
    .addOption(
      new Option('--dry-run', 'show what would be moved and where; change nothing').conflicts('cancel'),
    )
    .addOption(
      new Option('--limit <count>', 'how many messages at most (default: all)')
        .conflicts('cancel')
        .argParser(wholeNumber(1, 999_999_999)),
    )
    .option('--cancel', 'end the move that is running; what it has not moved stays');
  addTargetOptions(command)
    .explain(examples)
    .action((query: string, options: RedriveOptions) => redrive(query, options, context));
}

async function redrive(query: string, options: RedriveOptions, context: Context): Promise<void> {
  const target = wholeTargetOf(options);
  const list = suggest(target, 'dead-letter list');
  const queues = await context.connect(target).deadLetterQueues();
  const { name, source, queue, tasks } = findQueue(query, queues);
  if (source === undefined) throw new CommandFailure(noSource(name, target));
  if (options.cancel === true) {
    if ((await tasks?.cancel()) !== true)
      throw new CommandFailure(`SQS is not moving messages from ${name}.`);
    printResult(context, options, {
      json: () => ({ queue: name, destination: source.name, state: 'cancelling' }),
      text: () => `SQS ends the move from ${name}. To see what is left: ${list}`,
    });
    return;
  }
  const { waiting, inFlight } = await queue.count();
  const limit = Math.min(options.limit ?? Number.POSITIVE_INFINITY, waiting);
  const view = { queue: name, destination: source.name, waiting, inFlight };
  const byHand = tasks === undefined || options.limit !== undefined;
  if (options.dryRun === true) {
    const task = await tasks?.latest();
    const move = viewMove(task);
    const last = move === null ? '' : `\nThe last move within SQS: ${describeMove(move)}.`;
    const plan =
      !byHand && isUnderWay(task)
        ? underWay(task, context)
        : `Would move about ${limit} of ${formatCount(waiting, 'message')} from ${name} to ${source.name}.${hidden(inFlight)}${last}`;
    printResult(context, options, {
      json: () => ({ ...view, wouldMove: limit, move, dryRun: true }),
      text: () => `${plan}\n\nNothing was moved: this was a dry run.`,
    });
    return;
  }
  const { moved, state, failure } = byHand
    ? await moveByHand(queue, source.url, limit, context)
    : await moveWithinSqs(tasks, waiting, context);
  // The result is printed even where this count fails.
  const left = await queue.count().catch(() => undefined);
  printResult(context, options, {
    json: () => ({
      ...view,
      moved,
      state,
      left: left === undefined ? null : left.waiting + left.inFlight,
      dryRun: false,
    }),
    text: () => {
      const stillWaiting =
        left === undefined || left.waiting === 0 ? '' : ` Still waiting: about ${left.waiting}.`;
      if (state === 'running')
        return `SQS goes on moving messages from ${name} to ${source.name}.${stillWaiting} --cancel ends the move. To see how it ends: ${list}`;
      return `Moved ${formatCount(moved, 'message')} from ${name} to ${source.name}.${stillWaiting}${hidden(left?.inFlight ?? 0)}`;
    },
  });
  if (failure !== undefined) throw new CommandFailure(failure);
  const hiddenCount = (left ?? { inFlight }).inFlight;
  if (moved === 0 && state === 'completed' && hiddenCount > 0)
    throw new CommandFailure(
      `Nothing was moved, and the queue is not empty: ${formatCount(hiddenCount, 'message')} in flight. Run it again in two minutes.`,
    );
}

function noSource(name: string, target: Target): string {
  const kinds = withoutSource.map((kind) => `  ${deadLetterAdvice[kind]}`);
  return `The messages in ${name} came from no queue and cannot be redriven. To see their kinds: ${suggest(target, 'dead-letter show', name)}\n${kinds.join('\n')}`;
}

function hidden(inFlight: number): string {
  return inFlight === 0
    ? ''
    : ` In flight: ${formatCount(inFlight, 'message')} that another program has received; look again in two minutes.`;
}
