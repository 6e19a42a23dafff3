import type { Command } from 'commander';
import type { EventMapper } from '../functions/core/events/mapping.ts';
import type { NamedDeadLetterQueue } from './connection.ts';
import type { Context } from './context.ts';
import { readContract } from './contract-file.ts';
import { readDeadLetter } from './dead-letter-content.ts';
import { findQueue, notShown } from './dead-letter-queues.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from './options.ts';
import { printResult } from './print.ts';
import { type QueueLetters, renderLetters, viewLetter } from './render-dead-letters.ts';

interface DlqShowOptions extends TargetOptions, ContractOptions, RevealOptions {
  readonly limit: number;
}

const examples = `
Examples:
  npm run -s sms -- dlq show --local
  npm run -s sms -- dlq show Forward --limit 50
  npm run -s sms -- dlq show DeadLetterQueueUrl --json

Messages are received and given back at once: nothing is deleted, and another command may see none for that moment. RECEIVED
counts that too. Events of requests are read by the contract. Why an automation or the worker gave up is in its log.
What messages hold, numbers and texts, is shown with --reveal and with --json.
Exit codes: 0 also where there is none, 1 failed, 2 wrong usage.`;

/** `dlq show [queue]`: what lies in the queues of what was given up on. */
export function addDlqShow(dlq: Command, context: Context): void {
  const command = dlq
    .command('show')
    .summary('what the messages are')
    .description('Shows what was given up on, without taking it away.')
    .argument('[queue]', 'its name in dlq list, or a part that only it has (default: all)', notEmpty)
    .option('--limit <count>', 'how many messages of a queue at most', wholeNumber(1, 500), 10)
    .option('--reveal', 'show what the messages hold');
  addContractOption(addTargetOptions(command))
    .addHelpText('after', examples)
    .action(async (wanted: string | undefined, options: DlqShowOptions) => {
      const { createMapper } = await import('../functions/core/events/mapping.ts');
      const map = createMapper(await readContract(options.contract));
      const queues = await context.connect(targetOf(options)).deadLetterQueues();
      const chosen = wanted === undefined ? queues : [findQueue(wanted, queues)];
      const found = await Promise.all(chosen.map((one) => peek(one, options.limit, map)));
      printResult(context, options, {
        json: () => ({
          queues: found.map(({ name, waiting, letters }) => ({
            name,
            waiting,
            messages: letters.map(viewLetter),
          })),
        }),
        text: (view) => {
          const shown =
            wanted === undefined
              ? found.filter(({ waiting, letters }) => waiting + letters.length > 0)
              : found;
          if (shown.length === 0) return `These queues are empty. ${notShown}`;
          return shown.map((one) => renderLetters(one, view)).join('\n\n');
        },
      });
    });
}

async function peek(
  { name, queue }: NamedDeadLetterQueue,
  limit: number,
  map: EventMapper,
): Promise<QueueLetters> {
  const { waiting } = await queue.count();
  const letters = await queue.take(limit);
  await queue.giveBack(letters);
  const oldestFirst = letters.toSorted((a, b) => (a.sentAt < b.sentAt ? -1 : 1));
  return {
    name,
    waiting,
    letters: oldestFirst.map((letter) => ({ letter, content: readDeadLetter(letter.body, map) })),
  };
}
