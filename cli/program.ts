import { Command, CommanderError } from 'commander';
import project from '../package.json' with { type: 'json' };
import { addContractCapture } from './commands/contract/capture.ts';
import { addContractDiff } from './commands/contract/diff.ts';
import { addContractDiscover } from './commands/contract/discover.ts';
import { addContractDrift } from './commands/contract/drift.ts';
import { addContractTest } from './commands/contract/test.ts';
import { addDlqList } from './commands/dlq/list.ts';
import { addDlqRedrive } from './commands/dlq/redrive.ts';
import { addDlqShow } from './commands/dlq/show.ts';
import { addErasePhone, addEraseReceipt } from './commands/erase/erase.ts';
import { addExport } from './commands/export.ts';
import { addHistoryFailed } from './commands/history/failed.ts';
import { addHistoryMessage } from './commands/history/message.ts';
import { addHistoryPending } from './commands/history/pending.ts';
import { addHistoryPhone } from './commands/history/phone.ts';
import { addHistorySend } from './commands/history/send.ts';
import { addOptOuts } from './commands/opt-outs.ts';
import { addQuarantineList } from './commands/quarantine/list.ts';
import { addQuarantineReplay } from './commands/quarantine/replay.ts';
import { addQuarantineShow } from './commands/quarantine/show.ts';
import { addReplay } from './commands/replay.ts';
import { addReplies } from './commands/replies.ts';
import { addSend } from './commands/send/send.ts';
import { addWebhook } from './commands/webhook/webhook.ts';
import type { Context, Terminal } from './target/context.ts';
import { CommandFailure, explainError, UsageError } from './target/errors.ts';
import { sanitizeLines } from './text/sanitize.ts';

/** `contract`: what the pipeline knows of the service's webhook, found out and checked. */
function addContract(program: Command, context: Context): void {
  const contract = program
    .command('contract')
    .summary('find out, test and change what describes the SMS service')
    .description(
      "Looks after contract.json, which says how the SMS service signs its webhook's requests and where things are in a body.",
    );
  addContractCapture(contract, context);
  addContractDiscover(contract, context);
  addContractDiff(contract, context);
  addContractTest(contract, context);
  addContractDrift(contract, context);
}

/** `dlq list|show|redrive`: what was given up on, and sending it round again. */
function addDlq(program: Command, context: Context): void {
  const dlq = program
    .command('dlq')
    .summary('what was given up on: dead letter queues')
    .description(
      'Shows the messages of the dead letter queues, and sends them back to where they came from. docs/runbook.md says when.',
    );
  addDlqList(dlq, context);
  addDlqShow(dlq, context);
  addDlqRedrive(dlq, context);
}

/** `quarantine list|show|replay`: what was received and could not become history. */
function addQuarantine(program: Command, context: Context): void {
  const quarantine = program
    .command('quarantine')
    .summary('what could not become history')
    .description(
      'Shows what was received, acknowledged, and could not become history; sends it through the worker once more.',
    );
  addQuarantineList(quarantine, context);
  addQuarantineShow(quarantine, context);
  addQuarantineReplay(quarantine, context);
}

/** `erase phone|receipt`: the right of a person to be forgotten. */
function addErase(program: Command, context: Context): void {
  const erase = program
    .command('erase')
    .summary('forget the person behind a number')
    .description('Deletes everything that is kept about a number, and shows the receipts of that.');
  addErasePhone(erase, context);
  addEraseReceipt(erase, context);
}

/** 0: done. 1: failed. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

const examples = `
Examples:
  npm run -s sms -- send --local
  npm run -s sms -- history message msg-0001 --local
  npm run -s sms -- history phone "+1 202 555 0143" --local --json
  npm run -s sms -- history failed --since yesterday
  npm run -s sms -- replies --follow
  npm run -s sms -- dlq list
  npm run -s sms -- webhook status

Exit codes: 0 done, 1 failed, 2 wrong usage. DEBUG=1 shows where an unexpected error comes from.`;

/**
 * Runs one command. Mistakes, failures and bugs all end here: as a line on stderr and an exit code.
 *
 * @param args without the interpreter and the script
 */
export async function runCommand(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return fail(error, context.terminal);
  }
}

function buildProgram(context: Context): Command {
  const { out, err, columns, colour } = context.terminal;
  const width = () => columns ?? 100;
  const program = new Command('npm run -s sms --')
    .description(
      'Delivery reports and replies: ask the history, look after the webhook and what went wrong, send a sample event.',
    )
    .version(project.version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(sanitizeLines(text)),
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      getOutHasColors: () => colour,
    })
    .showHelpAfterError('Add --help to see what is accepted.')
    .exitOverride()
    // An option belongs to the command that it stands behind: export has some that export phone has as well.
    .enablePositionalOptions()
    .addHelpText('after', examples);
  const history = program
    .command('history')
    .summary('what became of messages')
    .description(
      'Answers what became of a message, a send or a number, and which messages failed or are still open.',
    );
  addHistoryMessage(history, context);
  addHistoryPhone(history, context);
  addHistorySend(history, context);
  addHistoryFailed(history, context);
  addHistoryPending(history, context);
  addReplies(program, context);
  addOptOuts(program, context);
  addQuarantine(program, context);
  addDlq(program, context);
  addExport(program, context);
  addErase(program, context);
  addReplay(program, context);
  addWebhook(program, context);
  addContract(program, context);
  addSend(program, context);
  return program;
}

function fail(error: unknown, { err, debug }: Terminal): ExitCode {
  const say = (text: string) => err(`${sanitizeLines(text)}\n`);
  // Commander has said what there is to say; help that was asked for is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    say(`error: ${error.message}\nAdd --help to see what is accepted.`);
    return 2;
  }
  const known = error instanceof CommandFailure ? error.message : explainError(error);
  if (known !== undefined) say(`error: ${known}`);
  else if (debug && error instanceof Error) say(`unexpected error: ${error.stack ?? error.message}`);
  else
    say(
      `unexpected error: ${error instanceof Error ? error.message : String(error)}\nThis is a bug of this command; DEBUG=1 shows where it comes from.`,
    );
  return 1;
}
