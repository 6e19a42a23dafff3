import * as z from 'zod';
import type { EventMapper } from '../../../contract/events/mapping.ts';
import { decodeEnvelope } from '../../../functions/receive/index.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { readDeployedContract } from '../../input/contract-file.ts';
import { addCsvOption, type CsvOptions } from '../../input/json-option.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  wholeNumber,
  wholeTargetOf,
} from '../../input/options.ts';
import type { View } from '../../output/print.ts';
import { printEntries } from '../../output/print-entries.ts';
import type { DeadLetter } from '../../stores/dead-letter-queue.ts';
import type { NamedDeadLetterQueue } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { findQueue, notShown } from '../../target/stack/dead-letter-queues.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize, sanitizeLines } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';
import {
  type DeadLetterContent,
  deadLetterAdvice,
  deadLetterContent,
  type RequestEvent,
  readDeadLetter,
} from './dead-letter-content.ts';

/** A dead letter and its content. */
interface ReadLetter {
  readonly letter: DeadLetter;
  readonly content: DeadLetterContent;
}

interface QueueLetters {
  readonly name: string;
  /** The approximate number of waiting messages. */
  readonly waiting: number;
  readonly letters: readonly ReadLetter[];
}

/** How many events of a request are listed. */
const maxEvents = 5;

/** Renders the messages of a queue; their bodies only with --reveal. */
function renderLetters({ name, waiting, letters }: QueueLetters, view: View): string {
  const title = view.style('bold', `${name}, about ${waiting} waiting`);
  if (letters.length === 0) return `${title}\n\nNo message was found.`;
  const table = renderTable(
    [
      { title: `SENT (${view.zone})` },
      { title: 'RECEIVED', maximum: 8 },
      { title: 'MESSAGE ID' },
      { title: 'WHAT' },
    ],
    letters.map(({ letter: { sentAt, receiveCount, messageId }, content }) => [
      { text: formatTime(sentAt, view.zone) },
      { text: `${receiveCount} ×` },
      { text: sanitize(messageId) },
      { text: sanitize(describe(content)) },
    ]),
    view,
  );
  const kinds = new Set(letters.map(({ content }) => content.kind));
  const advice = [...kinds].map((kind) => view.style('dim', `→ ${deadLetterAdvice[kind]}`));
  const bodies = view.reveal
    ? letters.map(({ letter }) => `${view.style('bold', sanitize(letter.messageId))}\n${textOf(letter.body)}`)
    : [];
  return [title, table, advice.join('\n'), ...bodies].join('\n\n');
}

function viewLetter(queue: string, { letter, content }: ReadLetter) {
  const { messageId, sentAt, receiveCount, body } = letter;
  return { queue, messageId, sentAt, receiveCount, ...content, body };
}

function describe(content: DeadLetterContent): string {
  switch (content.kind) {
    case 'request':
      return `request ${content.requestId}: ${listed(content.events)}`;
    case 'parked-request':
      return `parked request ${content.requestId}, not verified: ${listed(content.events)}`;
    case 'captured-request':
      return `captured request ${content.requestId}, not verified: ${listed(content.events)}`;
    case 'bus-event':
      return `${content.detailType}${content.about === null ? '' : `, ${content.about}`}, event ${content.eventId}`;
    case 'event-refused':
      return `refused event (${content.error}): ${content.detailType}, event ${content.eventId}${itemOf(content.itemKey)}`;
    case 'record-unreadable':
      return `unreadable record (${content.error})${itemOf(content.itemKey)}`;
    case 'stream-batch':
      return `stream range (${content.error}): ${content.batchSize} changes from ${content.approximateArrivalOfFirstRecord} to ${content.approximateArrivalOfLastRecord}, ${content.shardId}`;
    case 'unknown':
      return 'not written by this pipeline';
  }
}

function listed(events: readonly RequestEvent[]): string {
  const named = events
    .slice(0, maxEvents)
    .map((event) =>
      event.kind === 'unreadable' ? `unreadable (${event.reason})` : `${event.kind} ${event.id}`,
    );
  const more = events.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function itemOf(itemKey: string | null): string {
  return itemKey === null ? '' : `, item ${itemKey}`;
}

/** Returns the body of a request, or else the whole message. */
function textOf(body: string): string {
  const envelope = decodeEnvelope(body);
  return sanitizeLines(envelope === undefined ? body : Buffer.from(envelope.body).toString());
}

interface ShowOptions extends TargetOptions, CsvOptions, ContractOptions, RevealOptions {
  readonly limit: number;
}

const shownLetter = z
  .object({
    queue: z.string(),
    messageId: z.string(),
    sentAt: z.string(),
    receiveCount: z.int(),
    body: z.string(),
  })
  .and(deadLetterContent);

const examples: CommandTexts = {
  output: z.object({ entries: z.array(shownLetter) }),
  examples: [
    'dead-letter show',
    'dead-letter show Forward --limit 50',
    'dead-letter show DeadLetterQueueUrl --json',
  ],
  details:
    'The command receives messages and releases them at once. It deletes nothing; another command may see none for a moment. RECEIVED counts this receive too. The contract reads the events of requests. The log of an automation or of the worker says why it failed. --reveal and --json show the bodies of messages, with numbers and texts.',
};

/** Adds `dead-letter show [queue]`, which shows the messages of dead-letter queues. */
export function addDeadLetterShow(deadLetter: Command, context: Context): void {
  const command = deadLetter
    .command('show')
    .summary('show the messages')
    .description('Shows the messages of dead-letter queues without removing them.')
    .argument('[queue]', 'its name in dead-letter list, or a part that only it has (default: all)', notEmpty)
    .option('--limit <count>', 'how many messages of a queue at most', wholeNumber(1, 500), 10)
    .option('--reveal', 'show the bodies of messages');
  addContractOption(addCsvOption(addTargetOptions(command)))
    .explain(examples)
    .action(async (query: string | undefined, options: ShowOptions) => {
      const { createMapper } = await import('../../../contract/events/mapping.ts');
      const connection = context.connect(wholeTargetOf(options));
      const contract = await readDeployedContract(options, connection, context.terminal, { onlyWarn: true });
      const map = createMapper(contract);
      const queues = await connection.deadLetterQueues();
      const chosen = query === undefined ? queues : [findQueue(query, queues)];
      const contents = await Promise.all(chosen.map((one) => peek(one, options.limit, map)));
      printEntries(context, options, {
        entries: contents.flatMap(({ name, letters }) => letters.map((letter) => viewLetter(name, letter))),
        csvColumns: ['queue', 'messageId', 'sentAt', 'receiveCount', 'kind', 'what', 'body'],
        csv: (entry) => {
          const { queue, messageId, sentAt, receiveCount, kind, body } = entry;
          return { queue, messageId, sentAt, receiveCount, kind, what: describe(entry), body };
        },
        text: (view) => {
          const shown = contents.filter(
            ({ waiting, letters }) => query !== undefined || waiting + letters.length > 0,
          );
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
  const letters = await queue.receive(limit);
  await queue.release(letters);
  const oldestFirst = letters.toSorted((a, b) => (a.sentAt < b.sentAt ? -1 : 1));
  return {
    name,
    waiting,
    letters: oldestFirst.map((letter) => ({ letter, content: readDeadLetter(letter.body, map) })),
  };
}
