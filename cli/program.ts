import { Command, CommanderError } from 'commander';
import { ProjectFileError } from '../contract/document/project-store.ts';
import project from '../package.json' with { type: 'json' };
import { addContractCapture } from './commands/contract/capture.ts';
import { addContractDiff } from './commands/contract/diff.ts';
import { addContractDiscover } from './commands/contract/discover.ts';
import { addContractDrift } from './commands/contract/drift.ts';
import { addContractTest } from './commands/contract/test.ts';
import { addDlqList } from './commands/dlq/list.ts';
import { addDlqRedrive } from './commands/dlq/redrive.ts';
import { addDlqShow } from './commands/dlq/show.ts';
import { addDoctor } from './commands/doctor/doctor.ts';
import { addErasePhone, addEraseReceipt } from './commands/erase/erase.ts';
import { addExport } from './commands/export.ts';
import { addHistoryFailed } from './commands/history/failed.ts';
import { addHistoryMessage } from './commands/history/message.ts';
import { addHistoryPending } from './commands/history/pending.ts';
import { addHistoryPhone } from './commands/history/phone.ts';
import { addHistorySend } from './commands/history/send.ts';
import { addInit } from './commands/init/init.ts';
import { addOptOuts } from './commands/opt-outs.ts';
import { addQuarantineList } from './commands/quarantine/list.ts';
import { addQuarantineReplay } from './commands/quarantine/replay.ts';
import { addQuarantineShow } from './commands/quarantine/show.ts';
import { addReplay } from './commands/replay.ts';
import { addReplies } from './commands/replies.ts';
import { addSend } from './commands/send/send.ts';
import { addWebhookRotate } from './commands/webhook/rotate.ts';
import { addWebhookStoreSecret } from './commands/webhook/store-secret.ts';
import { addWebhookActions } from './commands/webhook/webhook.ts';
import type { Context, Terminal } from './target/context.ts';
import { CommandFailure, explainError, UsageError } from './target/errors.ts';
import { sanitizeLines } from './text/sanitize.ts';

/** Adds a command to its parent. */
type Add = (parent: Command, context: Context) => void;

/** A command that only groups others. */
interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly commands: readonly Add[];
}

/** Every command, in the order of the help. A new command is registered here. */
const commands: readonly (Add | CommandGroup)[] = [
  addDoctor,
  {
    name: 'history',
    summary: 'query the delivery history',
    description:
      'Shows the history of a message, a send or a number, and the messages that failed or are open.',
    commands: [addHistoryMessage, addHistoryPhone, addHistorySend, addHistoryFailed, addHistoryPending],
  },
  addReplies,
  addOptOuts,
  {
    name: 'quarantine',
    summary: 'inspect and replay what could not be stored as history',
    description:
      'Shows what the pipeline received, acknowledged and could not store as history, and sends it through the worker again.',
    commands: [addQuarantineList, addQuarantineShow, addQuarantineReplay],
  },
  {
    name: 'dlq',
    summary: 'inspect and redrive dead-letter queues',
    description:
      'Shows the messages of the dead-letter queues and sends them back to their source queues. docs/runbook.md explains when.',
    commands: [addDlqList, addDlqShow, addDlqRedrive],
  },
  addExport,
  {
    name: 'erase',
    summary: 'delete the data of the person behind a number',
    description: 'Deletes everything that is stored about a number, and shows the receipts of erasures.',
    commands: [addErasePhone, addEraseReceipt],
  },
  addReplay,
  {
    name: 'webhook',
    summary: 'manage the registration at the SMS service',
    description: 'Shows, creates or ends the registration at the SMS service, and rotates its secret.',
    commands: [addWebhookActions, addWebhookRotate, addWebhookStoreSecret],
  },
  {
    name: 'contract',
    summary: 'discover, test and change the contract with the SMS service',
    description:
      'Manages contract.json, which describes how the SMS service signs its webhook requests and where the fields of an event are.',
    commands: [addContractCapture, addContractDiscover, addContractDiff, addContractTest, addContractDrift],
  },
  addSend,
  addInit,
];

const examples = `
Examples:
  npm run -s sms -- send --local
  npm run -s sms -- history message msg-0001 --local
  npm run -s sms -- history phone "+1 202 555 0143" --local --json
  npm run -s sms -- history failed --since yesterday
  npm run -s sms -- replies --follow
  npm run -s sms -- dlq list
  npm run -s sms -- webhook status

Three commands have options of their own, which --help after them lists:
  start, demo   run the pipeline on this machine, without an AWS account
  deploy        deploy the app; ask before something with data is removed

Exit codes: 0 done, 1 failed, 2 wrong usage. DEBUG=1 shows the stack trace of an unexpected error.`;

/** 0: done. 1: failed. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command. Every error ends here, as a line on stderr and an exit code.
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
    .description('Queries delivery reports and replies, operates the pipeline, and sends sample events.')
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
    .showHelpAfterError('Add --help to see the accepted options.')
    .exitOverride()
    // An option belongs to the command it follows: export and export phone share some options.
    .enablePositionalOptions()
    .addHelpText('after', examples);
  for (const entry of commands) {
    if (typeof entry === 'function') entry(program, context);
    else {
      const group = program.command(entry.name).summary(entry.summary).description(entry.description);
      for (const add of entry.commands) add(group, context);
    }
  }
  return program;
}

function fail(error: unknown, { err, debug }: Terminal): ExitCode {
  const print = (text: string) => err(`${sanitizeLines(text)}\n`);
  // Commander has already printed its message. A requested help text is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    print(`error: ${error.message}\nAdd --help to see the accepted options.`);
    return 2;
  }
  const isExplained = error instanceof CommandFailure || error instanceof ProjectFileError;
  const explanation = isExplained ? error.message : explainError(error);
  if (explanation !== undefined) print(`error: ${explanation}`);
  else if (debug && error instanceof Error) print(`unexpected error: ${error.stack ?? error.message}`);
  else {
    const message = error instanceof Error ? error.message : String(error);
    print(`unexpected error: ${message}\nThis is a bug. Set DEBUG=1 for a stack trace.`);
  }
  return 1;
}
