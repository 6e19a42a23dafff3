import { InvalidArgumentError, Option } from 'commander';
import project from '../../../package.json' with { type: 'json' };
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, type Consequence, confirm } from '../../input/confirm.ts';
import {
  addRevealOption,
  addTargetOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  wholeTargetOf,
} from '../../input/options.ts';
import { addNumberArgument, type NumberOptions, readSearchedNumber } from '../../input/phone-argument.ts';
import { printResult, showReadPhone, viewOf } from '../../output/print.ts';
import { countProgress } from '../../output/progress.ts';
import { isMarkOf, markOf, type PersonMark } from '../../personal-data/erased-persons.ts';
import type { ErasureOutcome, PersonalData } from '../../personal-data/eraser.ts';
import { type ErasureReceipt, type RecordSummary, summarizeRecord } from '../../personal-data/record.ts';
import { clockOfAws } from '../../target/clock-of-aws.ts';
import type { Connection, WaitingRequests } from '../../target/connection.ts';
import type { Context, Terminal } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import {
  erasureDocument,
  receiptDocument,
  renderPlan,
  renderReceipt,
  viewPlan,
  viewReceipt,
  warningsOf,
} from './render-erasure.ts';

interface PersonEraseOptions extends TargetOptions, NumberOptions, RevealOptions, ConfirmOptions {
  readonly dryRun?: true;
  readonly resume?: string;
  readonly keepOptOut?: true;
}

const examples: CommandTexts = {
  output: erasureDocument,
  examples: [
    'person erase +1 202 555 0143 --dry-run',
    'person erase +12025550143 --confirm',
    'person erase +12025550143 --confirm --resume <receipt id>   (it was interrupted)',
  ],
  details:
    'The command deletes messages to the number, replies from it, its opt-out, and quarantine entries that contain the number in any spelling; it reads the whole quarantine for that. It deletes a body with several events as a whole. docs/guides/erase.md, "What it does not reach", lists the rest. An erasure leaves a receipt without the number: person receipt <id>. On AWS it takes at least 10 seconds, to find data that was written just before. It is complete once the receipt says "done". Running the command again completes an interrupted erasure under a new receipt. --resume continues it under its own receipt, with --keep-opt-out if it was begun so.',
};

/** Adds `person erase <number>`, which lists or deletes everything that is stored about a number. */
export function addPersonErase(person: Command, context: Context): void {
  const command = person
    .command('erase')
    .summary('delete everything about a number')
    .description('Permanently deletes everything that is stored about a number; --dry-run only lists it.')
    .addOption(
      new Option('--dry-run', 'list what would be deleted, without any text; change nothing').conflicts([
        'confirm',
        'resume',
      ]),
    )
    .option('--resume <receipt>', 'continue an interrupted erasure of this number', receiptId)
    .option('--keep-opt-out', 'keep the opt-out of the number');
  addConfirmOption(command, 'delete it without a question');
  addRevealOption(addTargetOptions(addNumberArgument(command)))
    .explain(examples)
    .action(async (words: readonly string[], options: PersonEraseOptions) => {
      const { dryRun = false, keepOptOut = false, resume } = options;
      const phone = await readSearchedNumber(words, options, context);
      if (!dryRun) {
        const number = showReadPhone(phone, viewOf(context.terminal, options.reveal === true));
        await confirm(permanent(number), options, context.terminal);
      }
      const connection = context.connect(wholeTargetOf(options));
      // A join recognises by the end of an erasure what was received later.
      const clock = dryRun ? context.clock : await clockOfAws(connection, context.clock);
      const waitingBefore = await connection.waiting();
      const onRead = countProgress(context, { doing: 'Searching', unit: ['item', 'items'] });
      const unsearched: string[] = [];
      const onUnsearched = (id: string) => void unsearched.push(id);
      const data = await connection.personalData(clock, onRead, onUnsearched);
      if (dryRun) {
        const records: RecordSummary[] = [];
        for await (const record of data.records(phone)) {
          if (!keepOptOut || record.kind !== 'opt-out')
            records.push(summarizeRecord(record, context.clock()));
        }
        const waiting = larger(waitingBefore, await connection.waiting());
        warn(context.terminal, {
          waiting,
          mayGetReports: records.filter(({ note }) => note === 'may-get-reports').length,
          leftOptOuts: records.filter(({ note }) => note === 'stays').length,
          unsearched,
        });
        printResult(context, options, {
          json: () => viewPlan({ phone, records, waiting, unsearched }),
          text: (view) => renderPlan({ phone, records }, view),
        });
        return;
      }
      const { key, keys } = await keysOf(connection);
      const { receipt, mayGetReports, leftOptOuts } = await deleteAll({ ...context, clock }, data, {
        person: markOf(phone, key),
        keys,
        phone,
        keepOptOut,
        resume,
      });
      const waiting = larger(waitingBefore, await connection.waiting());
      warn(context.terminal, { waiting, mayGetReports, leftOptOuts, unsearched });
      printResult(context, options, {
        json: () => ({ ...viewReceipt(receipt), mayGetReports, leftOptOuts, unsearched, waiting }),
        text: (view) => renderReceipt(receipt, view),
      });
    });
}

/** Returns the key for new erasures, and all keys. @throws CommandFailure if someone has emptied the secret */
async function keysOf(connection: Connection) {
  const erasureKey = await connection.erasureKey();
  const key = await erasureKey.ensure();
  if (key === undefined)
    throw new CommandFailure(
      `The secret ${erasureKey.name} holds no key, so the erasure could not be remembered. Put its key back, or delete the secret, and erase again.`,
    );
  return { key, keys: await erasureKey.read() };
}

/** An option without its value takes the next option as one. */
function receiptId(text: string): string {
  if (text.startsWith('-'))
    throw new InvalidArgumentError('Expected the id of a receipt, as person erase printed it.');
  return notEmpty(text);
}

function permanent(number: string): Consequence {
  return {
    text: `This permanently deletes everything that is stored about ${number} (--dry-run only lists it)`,
    confirms: 'deletes it',
    refused: 'Nothing was deleted.',
  };
}

interface Deletion {
  /** E.164 */
  readonly phone: string;
  readonly person: PersonMark;
  /** The keys by which persons are recognised. */
  readonly keys: readonly string[];
  readonly keepOptOut: boolean;
  /** The id of the receipt of an erasure to continue. */
  readonly resume: string | undefined;
}

async function deleteAll(
  { terminal, clock, newId }: Context,
  data: PersonalData,
  deletion: Deletion,
): Promise<ErasureOutcome> {
  const { phone, person, keepOptOut, resume } = deletion;
  const receiptId = resume ?? newId();
  const begun = resume === undefined ? undefined : await readBegun(data, resume, deletion);
  if (begun === undefined) {
    const startedAt = new Date(clock()).toISOString();
    await data.receipts.begin({ id: receiptId, startedAt, toolVersion: project.version, keepOptOut }, person);
  }
  // The id is printed before the erasure, so that the user has it if this process is killed.
  terminal.err(
    `Receipt ${sanitize(receiptId)}: if the erasure is interrupted, type the same command with --resume and this id.\n`,
  );
  if (begun !== undefined) {
    if (begun.keepOptOut)
      terminal.err('The opt-out is kept, because this erasure was begun with --keep-opt-out.\n');
    if (begun.state === 'done')
      terminal.err(
        'warning: This erasure is already complete, so nothing was done; a new one begins without --resume.\n',
      );
  }
  try {
    return await data.erase({ phone, receiptId }, (milliseconds) => {
      terminal.err(
        `Not complete yet: waiting ${milliseconds / 1000} s for the index by number to show the latest writes.\n`,
      );
    });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ErasureError')) throw error;
    throw new CommandFailure(`The erasure is not complete: ${error.message}.`);
  }
}

/** Reads the receipt of an erasure to continue. Under the receipt of another person, neither of both would be erased whole and remembered. */
async function readBegun(
  data: PersonalData,
  id: string,
  { phone, keys, keepOptOut }: Deletion,
): Promise<ErasureReceipt> {
  const begun = await data.receipts.read(id);
  if (begun === undefined) throw new CommandFailure(`There is no receipt "${sanitize(id)}".`);
  const mark = await data.receipts.readPerson(id);
  const isThisPerson = mark && isMarkOf(mark, phone, keys);
  if (isThisPerson !== true) {
    const reason =
      isThisPerson === false
        ? 'is of another number'
        : 'names its person by a key that is not stored any more';
    throw new CommandFailure(
      `That erasure ${reason}, so nothing was deleted. Give the number that it was begun with, or begin a new one without --resume.`,
    );
  }
  if (keepOptOut && !begun.keepOptOut)
    throw new CommandFailure(
      'That erasure was begun without --keep-opt-out and continues so; a new one begins without --resume.',
    );
  return begun;
}

/** Returns the larger counts of those before and after the erasure, because a count is only a snapshot. */
function larger(a: WaitingRequests, b: WaitingRequests): WaitingRequests {
  return { events: Math.max(a.events, b.events), deadLetters: Math.max(a.deadLetters, b.deadLetters) };
}

function warn({ err }: Terminal, consequences: Parameters<typeof warningsOf>[0]): void {
  for (const warning of warningsOf(consequences)) err(`warning: ${warning}\n`);
}

const receiptExamples: CommandTexts = {
  output: receiptDocument,
  examples: ['person receipt <id>', 'person receipt <id> --json'],
};

/** Adds `person receipt <id>`, which shows when an erasure was done and how much it deleted. */
export function addPersonReceipt(person: Command, context: Context): void {
  const command = person
    .command('receipt')
    .summary('show the receipt of an erasure')
    .description(
      'Shows the receipt of an erasure: when it was done and how much it deleted, without the number.',
    )
    .argument('<id>', 'the id of the receipt, as person erase printed it', notEmpty);
  addTargetOptions(command)
    .explain(receiptExamples)
    .action(async (id: string, options: TargetOptions) => {
      const data = await context.connect(wholeTargetOf(options)).personalData(context.clock);
      const receipt = await data.receipts.read(id);
      if (receipt === undefined) throw new CommandFailure(`There is no receipt "${sanitize(id)}".`);
      printResult(context, options, {
        json: () => viewReceipt(receipt),
        text: (view) => renderReceipt(receipt, view),
      });
    });
}
