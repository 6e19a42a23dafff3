import type { Command } from 'commander';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult, type View } from '../../output/print.ts';
import type { NamedDeadLetterQueue } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { notShown } from '../../target/dead-letter-queues.ts';
import { formatAgo } from '../../text/format.ts';
import { type Cell, renderTable } from '../../text/table.ts';

/** How many messages are looked at for the oldest: what one receive brings. */
const maxSeen = 10;

const examples = `
Examples:
  npm run -s sms -- dlq list --local
  npm run -s sms -- dlq list --json

The counts are SQS's, which are about right. SQS does not tell the age of the oldest message: up to ${maxSeen} of each queue are
received and given back at once, and the oldest of these is shown. In flight is what somebody else is looking at or moving.
${notShown}
Exit codes: 0 also where nothing waits, 1 failed, 2 wrong usage.`;

interface ListedQueue {
  readonly name: string;
  readonly source: string | undefined;
  readonly waiting: number;
  readonly inFlight: number;
  /** Of the messages that were looked at; ISO 8601. */
  readonly oldestSeenAt: string | undefined;
}

/** `dlq list`: the dead letter queues, and how much is in them. */
export function addDlqList(dlq: Command, context: Context): void {
  const command = dlq
    .command('list')
    .summary('the queues, and how much is in them')
    .description(
      'Shows the dead letter queues: how many messages wait there, and for how long. Not those of the rules.',
    );
  addTargetOptions(command)
    .addHelpText('after', examples)
    .action(async (options: TargetOptions) => {
      const queues = await context.connect(targetOf(options)).deadLetterQueues();
      const listed = await Promise.all(queues.map(lookAt));
      printResult(context, options, {
        json: () => ({
          queues: listed.map(({ name, source = null, waiting, inFlight, oldestSeenAt = null }) => ({
            ...{ name, source, waiting, inFlight, oldestSeenAt },
          })),
        }),
        text: (view) => render(listed, context.clock(), view),
      });
    });
}

async function lookAt({ name, source, queue }: NamedDeadLetterQueue): Promise<ListedQueue> {
  const count = await queue.count();
  const letters = count.waiting === 0 ? [] : await queue.receive(maxSeen);
  await queue.release(letters);
  const [oldestSeenAt] = letters.map(({ sentAt }) => sentAt).sort();
  return { name, source: source?.name, ...count, oldestSeenAt };
}

function render(queues: readonly ListedQueue[], now: number, view: View): string {
  const rows = queues.map(({ name, source = 'no queue', waiting, inFlight, oldestSeenAt }): Cell[] => [
    { text: name },
    waiting === 0 ? { text: '0' } : { text: String(waiting), format: 'yellow' },
    { text: String(inFlight) },
    { text: source },
    { text: oldestSeenAt === undefined ? '' : formatAgo(oldestSeenAt, now, view.zone) },
  ]);
  const columns = ['QUEUE', 'WAITING', 'IN FLIGHT', 'CAME FROM', 'OLDEST SEEN'].map((title) => ({ title }));
  const table = renderTable(columns, rows, view);
  const isEmpty = queues.every(({ waiting, inFlight }) => waiting + inFlight === 0);
  const next = isEmpty ? `These are empty. ${notShown}` : 'dlq show shows what it is.';
  return `${table}\n\n${view.style('dim', next)}`;
}
