import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { type ProofFormats, proofOf } from '../../../client/proof.ts';
import { englishProof } from '../../../client/proof-english.ts';
import { mainSource, splitId } from '../../../contract/events/source-id.ts';
import { type Outcome, outcomeOf, unmappedRank } from '../../../contract/schema/sms-event.ts';
import { formatCount, formatDuration } from '../../../functions/base/basics.ts';
import {
  channelOf,
  compareByTime,
  compareText,
  costAndRouteOf,
  decidingEntry,
  deliveryTime,
  hasConflict,
  isFinal,
  type Message,
  type StatusEntry,
} from '../../../functions/history/index.ts';
import { masked, viewMessage, visiblePart } from '../../../functions/query/index.ts';
import { messageSchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { deployedContract } from '../../input/contract-file.ts';
import { chosenFields } from '../../input/json-option.ts';
import {
  addContractOption,
  addRevealOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { pollMs } from '../../output/follow.ts';
import {
  detailOf,
  printResult,
  showPhone,
  showText,
  statusCell,
  type View,
  viewOf,
} from '../../output/print.ts';
import { proofHtml } from '../../output/proof-html.ts';
import { doubtsOf } from '../../output/unread-format.ts';
import { wrote } from '../../output/write-export.ts';
import type { Connection } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, explainFileErrors } from '../../target/errors.ts';
import { tolerating } from '../../target/polling.ts';
import { suggest } from '../../target/suggest.ts';
import { formatTime, shellQuoted } from '../../text/format.ts';
import { sanitize, toJson, toJsonLine } from '../../text/sanitize.ts';
import { type Cell, type Column, openTable, renderFields, renderTable } from '../../text/table.ts';

/** The renderers of a message that is followed. */
interface OpenMessage {
  /** The state at the beginning. */
  readonly head: string;
  /** Lays out reports in the order of their times; the first call adds titles. */
  readonly reports: (reports: readonly StatusEntry[]) => string;
}

function openMessage(message: Message, view: View): OpenMessage {
  const [first] = reportsOf(message);
  const table = openTable(columnsOf(view, true), view);
  return {
    head: fieldsOf(message, view),
    reports: (reports) =>
      table(
        reports
          .toSorted(compareByTime)
          .map((report) => rowOf(report, first, report.partId !== message.messageId, view)),
      ),
  };
}

/** Renders a message: its state, its reports in the order of their times, and notes. */
function renderMessage(message: Message, view: View): string {
  const reports = reportsOf(message);
  return [fieldsOf(message, view), tableOf(reports, view), notesOf(message, reports, view)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function reportsOf({ events }: Message): StatusEntry[] {
  return [...events.values()].sort(compareByTime);
}

function fieldsOf(message: Message, view: View): string {
  const { style, zone } = view;
  const deciding = decidingEntry(message);
  const status = statusCell(deciding);
  const took = deliveryTime(message);
  const channel = channelOf(message);
  const state = [
    style(status.format ?? 'bold', status.text),
    isFinal(deciding) ? 'final' : 'not final yet',
    formatTime(deciding.occurredAt, zone),
  ].join(', ');
  return renderFields(
    [
      ['Message', style('bold', sanitize(message.messageId))],
      ['State', state],
      ['Number', message.phone === undefined ? 'unknown' : showPhone(message.phone, view)],
      ...(message.sendId === undefined ? [] : [['Send', sanitize(message.sendId)] as const]),
      ...(took === undefined
        ? []
        : [['Took', `${formatDuration(took)} from the first report to delivery`] as const]),
      ...(channel === undefined ? [] : [['Channel', sanitize(channel)] as const]),
      ...costFieldsOf(message, view),
    ],
    view,
  );
}

/** Returns the cost, such as `0.0158 USD, 2 segments`, and the network, such as `310410, AT&T`, as far as they are known. */
function costFieldsOf(message: Message, view: View): (readonly [string, string])[] {
  const { price, currency, segments, network, carrier } = costAndRouteOf(message);
  const cost = [
    ...(price === undefined ? [] : [`${price} ${currency}`]),
    ...(segments === undefined ? [] : [formatCount(segments, 'segment')]),
  ];
  const route = [network, carrier].flatMap((part) => (part === undefined ? [] : [showText(part, view)]));
  return [
    ...(cost.length === 0 ? [] : [['Cost', cost.join(', ')] as const]),
    ...(route.length === 0 ? [] : [['Network', route.join(', ')] as const]),
  ];
}

function tableOf(reports: readonly StatusEntry[], view: View): string {
  const parts = new Set(reports.map(({ partId }) => partId));
  const rows = reports.map((report) => rowOf(report, reports[0], parts.size > 1, view));
  const hasDetails = rows.some((row) => row.at(-1)?.text !== '');
  return renderTable(columnsOf(view, hasDetails), rows, view);
}

function columnsOf({ zone }: View, hasDetails: boolean): Column[] {
  return [
    { title: `TIME (${zone})` },
    { title: 'ELAPSED' },
    { title: 'STATUS', maximum: 24 },
    { title: 'RECEIVED' },
    { title: hasDetails ? 'DETAIL' : '' },
  ];
}

/** @param first the report that the elapsed time counts from @param showsPart whether the reports are of several parts */
function rowOf(report: StatusEntry, first: StatusEntry | undefined, showsPart: boolean, view: View): Cell[] {
  return [
    { text: formatTime(report.occurredAt, view.zone) },
    {
      text: first === undefined || report === first ? '' : `+${between(first.occurredAt, report.occurredAt)}`,
    },
    statusCell(report),
    { text: arrivalOf(report), format: 'dim' },
    {
      text: [detailOf(report, view), ...(showsPart ? partOf(report) : []), ...doubtsOf(report, view)]
        .filter((text) => text !== '')
        .join('; '),
    },
  ];
}

function partOf({ partId }: StatusEntry): string[] {
  return partId === undefined ? [] : [`of the part ${sanitize(partId)}`];
}

function arrivalOf({ occurredAt, receivedAt }: StatusEntry): string {
  const isEarlier = Date.parse(receivedAt) < Date.parse(occurredAt);
  return `${between(occurredAt, receivedAt)} ${isEarlier ? 'before (clocks differ)' : 'later'}`;
}

function between(from: string, to: string): string {
  return formatDuration(Date.parse(to) - Date.parse(from));
}

function notesOf(message: Message, reports: readonly StatusEntry[], view: View): string {
  const notes: string[] = [];
  if (hasConflict(message)) {
    notes.push(
      `The reports contradict each other: ${lastReport('success')} and ${lastReport('failure')}. "${sanitize(decidingEntry(message).status)}" applies, because it ranks higher.`,
    );
  }
  const unlisted = new Set(
    reports.filter(({ rank }) => rank === unmappedRank).map(({ status }) => sanitize(status)),
  );
  if (unlisted.size > 0)
    notes.push(
      `When it was stored, the contract did not list ${[...unlisted].map((word) => `"${word}"`).join(', ')}, so this report ranks below every other. Define the word under "statuses", unless that was done since.`,
    );
  return notes.map((note) => `${view.style('yellow', '!')} ${note}`).join('\n');

  function lastReport(outcome: Outcome): string {
    const report = reports.findLast(({ rank }) => outcomeOf(rank) === outcome);
    return report === undefined
      ? ''
      : `"${sanitize(report.status)}" at ${formatTime(report.occurredAt, view.zone)}`;
  }
}

/**
 * Writes a message to stdout, then its new reports as they arrive, until its status is final or Ctrl-C.
 *
 * @param initial the message at the beginning
 * @param read reads the message again
 */
async function followMessage(
  { terminal, beginWaiting }: Context,
  { json, reveal }: MessageOptions,
  initial: Message,
  read: ReadMessage,
): Promise<void> {
  const wait = beginWaiting();
  const tolerate = tolerating(terminal);
  const { head, reports } = openMessage(initial, viewOf(terminal, reveal === true));
  const write = (message: Message, written: Message['events']) => {
    const fresh = [...message.events.values()].filter(({ eventId }) => !written.has(eventId));
    if (fresh.length > 0)
      terminal.out(
        `${json === undefined ? reports(fresh) : toJsonLine(chosenFields(viewMessage(message), json))}\n`,
      );
  };
  if (json === undefined) terminal.out(`${head}\n\n`);
  write(initial, new Map());
  let message = initial;
  while (!isFinal(decidingEntry(message)) && (await wait(pollMs))) {
    const { events } = message;
    message = (await tolerate(read)) ?? message;
    write(message, events);
  }
}

interface MessageOptions extends TargetOptions, RevealOptions {}

interface GetOptions extends MessageOptions, ContractOptions {
  readonly report?: string;
  readonly follow?: boolean;
  readonly raw?: boolean;
}

const getTexts: CommandTexts = {
  examples: [
    'message get msg-0001',
    'message get msg-0001 --json messageId,status',
    'message get msg-0001 --follow',
    'message get msg-0001 --follow --json',
    'message get msg-0001 --raw',
    'message get msg-0001 --report proof.html',
    'message get -- -id-with-a-hyphen',
  ],
  notes:
    '--follow waits for the first report, and ends when the status is final. With --json it writes the whole message at each report, one document a line. --report writes a page to print: every report with its times, which of them decides, and what they do not prove.',
  output: messageSchema,
};

/** Adds `message get <id>`, which shows one message with all its reports. */
export function addMessageGet(parent: Command, context: Context): void {
  const command = parent
    .command('get')
    .summary('show one message with its whole history')
    .description('Shows one message: its state and all its delivery reports, oldest first.')
    .argument('<id>', 'the message id, as the SMS service names it', notEmpty);
  addContractOption(addRevealOption(addTargetOptions(command)))
    .addOption(
      new Option('--report <file>', 'write a proof of the message as HTML, to print').conflicts([
        'raw',
        'json',
        'follow',
      ]),
    )
    .addOption(
      new Option('--follow', 'also show new reports as they arrive; Ctrl-C ends it').conflicts('raw'),
    )
    .addOption(new Option('--raw', 'the item as DynamoDB has it, as JSON, numbers in full').conflicts('json'))
    .explain(getTexts)
    .action(async (id: string, options: GetOptions) => {
      if (options.raw) {
        const item = await context.connect(targetOf(options)).messageItem(id);
        if (item === undefined) throw await missingMessage(id, options, context);
        context.terminal.out(`${toJson(inReadingOrder(item))}\n`);
        return;
      }
      const read = await messageReader(id, options, context);
      const found = await read();
      if (options.follow) {
        const message = found ?? (await firstReport(id, read, context));
        if (message !== undefined) await followMessage(context, options, message, read);
        return;
      }
      if (found === undefined) throw await missingMessage(id, options, context);
      if (options.report !== undefined) {
        await writeProof(found, options.report, options, context);
        return;
      }
      printResult(context, options, {
        json: () => viewMessage(found),
        text: (view) => renderMessage(found, view),
      });
    });
}

/** Writes what is known about a message as a page for paper. */
async function writeProof(
  message: Message,
  path: string,
  options: GetOptions,
  { connect, terminal, clock }: Context,
): Promise<void> {
  const target = targetOf(options);
  const view = viewMessage(message);
  const phones = view.phone === null ? [] : [view.phone];
  const { source } = splitId(message.messageId);
  const { zone } = terminal;
  const formats: ProofFormats = {
    status: (status) => status.charAt(0).toUpperCase() + status.slice(1),
    reason: ({ errorReason, errorCode }) =>
      errorReason ?? (errorCode === undefined ? '' : `The contract does not know the code ${errorCode}`),
    number: (number) => number,
    time: (iso) => formatTime(iso, zone),
    utc: (iso) => formatTime(iso, 'UTC').replace(' +00:00', ''),
    duration: between,
    // The message is masked already.
    doubts: (report) => doubtsOf(report, { reveal: true }),
  };
  // A message has no pages.
  const idMask = { mask: (id: string) => `${visiblePart(id, phones)}•••`, maskPosition: () => '' };
  const proof = proofOf(
    options.reveal === true ? view : masked(view, idMask),
    {
      pipeline: target.local ? 'local' : target.stack,
      at: new Date(clock()).toISOString(),
      zone,
      contract: await deployedContract(source, options.contract, connect({ ...target, source })),
      isMasked: options.reveal !== true,
    },
    englishProof,
    formats,
  );
  await explainFileErrors(
    (code) =>
      code === 'EEXIST'
        ? `${path} exists, and --report overwrites nothing: remove it, or name another file.`
        : `${path} cannot be written (${code}); --report names another file.`,
    () => writeFile(path, proofHtml(proof), { flag: 'wx', mode: 0o600 }),
  );
  terminal.err(wrote(`the proof of ${sanitize(message.messageId)}`, path));
}

async function missingMessage(id: string, options: TargetOptions, context: Context): Promise<CommandFailure> {
  const missing = `No message "${sanitize(id)}" in the history. A report appears a second or two after its receipt; --follow waits for it.`;
  const target = targetOf(options);
  const { source, id: serviceId } = splitId(id);
  if (!(await hasLookups(context.connect({ ...target, source })))) return new CommandFailure(missing);
  const words = `lookup${source === mainSource ? '' : ` --source ${source}`} --message`;
  return new CommandFailure(
    `${missing} To ask the SMS service: ${suggest(target, `${words} ${shellQuoted(serviceId)}`)}`,
  );
}

/** Returns whether the pipeline can ask the service. A hint is not worth a failure, for example of an id whose text before the slash is no source. */
async function hasLookups(connection: Connection): Promise<boolean> {
  const outputs = await connection.outputs().catch(() => ({}));
  return 'LookupFunctionName' in outputs;
}

/** Sorts the attributes of an item, which DynamoDB returns in any order: first the key, then by name. */
function inReadingOrder({ pk, ...attributes }: Readonly<Record<string, unknown>>): object {
  const sorted = Object.entries(attributes).sort(([a], [b]) => compareText(a, b));
  return { pk, ...Object.fromEntries(sorted) };
}

type ReadMessage = () => Promise<Message | undefined>;

async function messageReader(id: string, options: MessageOptions, context: Context): Promise<ReadMessage> {
  const reader = await context.connect(targetOf(options)).history();
  return () => reader.message(id);
}

/** Waits for the first report of a message. Returns undefined after Ctrl-C. */
async function firstReport(
  id: string,
  read: ReadMessage,
  { terminal, beginWaiting }: Context,
): Promise<Message | undefined> {
  terminal.err(`No report about "${sanitize(id)}" yet. Waiting for the first; Ctrl-C ends it.\n`);
  const wait = beginWaiting();
  const tolerate = tolerating(terminal);
  let message: Message | undefined;
  while (message === undefined && (await wait(pollMs))) message = await tolerate(read);
  return message;
}
