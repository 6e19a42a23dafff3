import * as z from 'zod';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addCsvOption, type CsvOptions } from '../../input/json-option.ts';
import { addTargetOptions, type TargetOptions, wholeTargetOf } from '../../input/options.ts';
import type { View } from '../../output/print.ts';
import { printEntries } from '../../output/print-entries.ts';
import type { NamedDeadLetterQueue } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { notShown } from '../../target/stack/dead-letter-queues.ts';
import { formatAgo } from '../../text/format.ts';
import { type Cell, renderTable } from '../../text/table.ts';
import { describeMove, lastMove, viewMove } from './last-move.ts';

/** How many messages are read to find the oldest: those of one receive. */
const maxSeen = 10;

/** A dead-letter queue as it was found. */
const inspectedQueue = z.object({
  name: z.string(),
  source: z.string().nullable().describe('The queue that the messages came from; null for none.'),
  waiting: z.int(),
  inFlight: z.int(),
  oldestSeenAt: z.string().nullable().describe('When the oldest of the received messages was sent.'),
});

export type InspectedQueue = z.output<typeof inspectedQueue>;

const listedQueue = inspectedQueue.extend({ move: lastMove });

const examples: CommandTexts = {
  output: z.object({ entries: z.array(listedQueue) }),
  examples: ['dead-letter list', 'dead-letter list --json'],
  details: `The counts are approximate, as SQS reports them. SQS does not report the age of the oldest message: the command receives up to ${maxSeen} messages of each queue, releases them at once, and shows the oldest of these. In flight are messages that another command or program has received. LAST MOVE is that of dead-letter redrive within SQS, which SQS shows for some days; it needs sqs:ListMessageMoveTasks. ${notShown}`,
};

/** Adds `dead-letter list`, which shows the dead-letter queues with their counts. */
export function addDeadLetterList(deadLetter: Command, context: Context): void {
  const command = deadLetter
    .command('list')
    .summary('show the queues and their message counts')
    .description(
      'Shows the dead-letter queues: how many messages wait there, and for how long. Not those of the rules.',
    );
  addCsvOption(addTargetOptions(command))
    .explain(examples)
    .action(async (options: TargetOptions & CsvOptions) => {
      const names = await context.connect(wholeTargetOf(options)).deadLetterQueues();
      const queues = await Promise.all(
        names.map(async (one) => ({
          ...(await inspectQueue(one)),
          move: viewMove(await one.tasks?.latest()),
        })),
      );
      printEntries(context, options, {
        entries: queues,
        csvColumns: [...Object.keys(inspectedQueue.shape), 'lastMove'],
        csv: ({ move, ...queue }) => ({ ...queue, lastMove: move === null ? '' : describeMove(move) }),
        text: (view) => render(queues, context.clock(), view),
      });
    });
}

/** Counts the messages of a dead-letter queue, and receives up to ten for a moment. */
export async function inspectQueue({ name, source, queue }: NamedDeadLetterQueue): Promise<InspectedQueue> {
  const { waiting, inFlight } = await queue.count();
  const letters = waiting === 0 ? [] : await queue.receive(maxSeen);
  await queue.release(letters);
  const [oldestSeenAt = null] = letters.map(({ sentAt }) => sentAt).sort();
  return { name, source: source?.name ?? null, waiting, inFlight, oldestSeenAt };
}

function render(queues: readonly z.output<typeof listedQueue>[], now: number, view: View): string {
  const rows = queues.map(({ name, source, waiting, inFlight, oldestSeenAt, move }): Cell[] => [
    { text: name },
    waiting === 0 ? { text: '0' } : { text: String(waiting), format: 'yellow' },
    { text: String(inFlight) },
    { text: source ?? 'no queue' },
    { text: oldestSeenAt === null ? '' : formatAgo(oldestSeenAt, now, view.zone) },
    { text: move === null ? '' : describeMove(move) },
  ]);
  const lastMoves = queues.some(({ move }) => move !== null) ? 'LAST MOVE' : '';
  const titles = ['QUEUE', 'WAITING', 'IN FLIGHT', 'CAME FROM', 'OLDEST SEEN', lastMoves];
  const columns = titles.map((title) => ({ title }));
  const table = renderTable(columns, rows, view);
  const isEmpty = queues.every(({ waiting, inFlight }) => waiting + inFlight === 0);
  const next = isEmpty ? `These queues are empty. ${notShown}` : 'sms dead-letter show shows the messages.';
  return `${table}\n\n${view.style('dim', next)}`;
}
