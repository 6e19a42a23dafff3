import type { Command } from 'commander';
import {
  addTargetOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import type { DeadLetterQueue, QueueCount } from '../../stores/dead-letter-queue.ts';
import type { Context } from '../../target/context.ts';
import { findQueue } from '../../target/dead-letter-queues.ts';
import { CommandFailure, explainOrName } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { deadLetterAdvice, withoutSource } from './dead-letter-content.ts';

interface DlqRedriveOptions extends TargetOptions {
  readonly dryRun?: true;
  readonly limit?: number;
}

/** Messages that are moved before Ctrl-C is heeded: a second or two. */
const roundSize = 100;

const examples = `
Examples:
  npm run -s sms -- dlq redrive DeadLetterQueueUrl --dry-run --local
  npm run -s sms -- dlq redrive DeadLetterQueueUrl
  npm run -s sms -- dlq redrive Forward --limit 10

A message is deleted here only after the other queue has confirmed it: where this breaks off one may be in both, and what gets it
twice does nothing twice. At most as many are moved as were there at the beginning, so that what fails again at once
does not go round for ever. Ctrl-C ends it between two rounds of ${roundSize}; run it again to go on.
Exit codes: 0 moved, also where there was none; 1 failed, or some could not be moved, or none while some are in flight; 2 wrong
usage.`;

/** `dlq redrive <queue>`: sends what was given up on back to the queue it belongs to. */
export function addDlqRedrive(dlq: Command, context: Context): void {
  const command = dlq
    .command('redrive')
    .summary('send the messages of a queue round again')
    .description(
      'Moves the messages of a dead letter queue to the queue they came from; with --dry-run only says how many.',
    )
    .argument('<queue>', 'its name in dlq list, or a part that only it has', notEmpty)
    .option('--dry-run', 'say what would be moved and to where; change nothing')
    .option('--limit <count>', 'how many messages at most (default: all)', wholeNumber(1, 999_999_999));
  addTargetOptions(command)
    .addHelpText('after', examples)
    .action(async (wanted: string, options: DlqRedriveOptions) => {
      const queues = await context.connect(targetOf(options)).deadLetterQueues();
      const { name, source, queue } = findQueue(wanted, queues);
      if (source === undefined) throw new CommandFailure(noWayBack(name));
      const { waiting, inFlight } = await queue.count();
      const wantedCount = Math.min(options.limit ?? Number.POSITIVE_INFINITY, waiting);
      const view = { queue: name, destination: source.name, waiting, inFlight };
      if (options.dryRun === true) {
        printResult(context, options, {
          json: () => ({ ...view, wouldMove: wantedCount, dryRun: true }),
          text: () =>
            `Would move about ${wantedCount} of ${messages(waiting)} from ${name} to ${source.name}.${hidden(inFlight)}\n\nNothing was moved: that was a dry run.`,
        });
        return;
      }
      const { moved, failure } = await moveAll(queue, source.url, wantedCount, context);
      // It only adds to what is told: what was moved is told in any case.
      const left = await queue.count().catch(() => undefined);
      printResult(context, options, {
        json: () => ({
          ...view,
          moved,
          left: left === undefined ? null : left.waiting + left.inFlight,
          dryRun: false,
        }),
        text: () =>
          `Moved ${messages(moved)} from ${name} to ${source.name}.${left === undefined ? '' : remaining(left)}`,
      });
      if (failure !== undefined) throw new CommandFailure(failure);
      const hiddenCount = (left ?? { inFlight }).inFlight;
      if (moved === 0 && hiddenCount > 0)
        throw new CommandFailure(
          `Nothing was moved, and the queue is not empty: ${messages(hiddenCount)} in flight. Run it again in two minutes.`,
        );
    });
}

interface Moving {
  readonly moved: number;
  /** Why it ended early; undefined where it did not. */
  readonly failure: string | undefined;
}

async function moveAll(
  queue: DeadLetterQueue,
  destinationUrl: string,
  most: number,
  { beginWaiting }: Context,
): Promise<Moving> {
  const goesOn = beginWaiting();
  let moved = 0;
  while (moved < most) {
    const round = await moveRound(queue, destinationUrl, Math.min(roundSize, most - moved));
    moved += round.moved;
    if (round.failure !== undefined) return { moved, failure: round.failure };
    if (round.moved === 0) break;
    if (moved < most && !(await goesOn(0)))
      return { moved, failure: 'Interrupted: the rest stays where it is. Run it again to go on.' };
  }
  return { moved, failure: undefined };
}

async function moveRound(queue: DeadLetterQueue, destinationUrl: string, most: number): Promise<Moving> {
  try {
    const letters = await queue.receive(most);
    const { sent, failure, deleteErrors } = await queue.move(letters, destinationUrl);
    const unsent = letters.length - sent;
    const problems = [
      ...(unsent === 0
        ? []
        : [`Not sent, and still where they were: ${messages(unsent)}. ${explainOrName(failure)}`]),
      ...(deleteErrors.length === 0
        ? []
        : [
            `Some were sent and could not be deleted (${deleteErrors.map(sanitize).join(', ')}): they are in both queues, and the next redrive sends them once more, which changes nothing.`,
          ]),
    ];
    return { moved: sent, failure: problems.length === 0 ? undefined : problems.join('\n') };
  } catch (error) {
    return { moved: 0, failure: explainOrName(error) };
  }
}

function noWayBack(name: string): string {
  const kinds = withoutSource.map((kind) => `  ${deadLetterAdvice[kind]}`);
  return `What is in ${name} came from no queue and cannot be redriven. dlq show ${name} tells which it is:\n${kinds.join('\n')}`;
}

function remaining({ waiting, inFlight }: QueueCount): string {
  return `${waiting === 0 ? '' : ` Waiting there now: about ${waiting}.`}${hidden(inFlight)}`;
}

function hidden(inFlight: number): string {
  return inFlight === 0
    ? ''
    : ` In flight: ${messages(inFlight)} that somebody has received; look again in two minutes.`;
}

function messages(count: number): string {
  return `${count} ${count === 1 ? 'message' : 'messages'}`;
}
