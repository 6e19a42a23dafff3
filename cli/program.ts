import { type Command as CommanderCommand, CommanderError } from 'commander';
import { ProjectFileError } from '../contract/document/project-store.ts';
import project from '../package.json' with { type: 'json' };
import { addAccess } from './commands/access/access.ts';
import { addApi } from './commands/api.ts';
import { addConsole } from './commands/console/console.ts';
import { addContractCapture } from './commands/contract/capture.ts';
import { addContractDiff } from './commands/contract/diff.ts';
import { addContractDiscover } from './commands/contract/discover.ts';
import { addContractDrift } from './commands/contract/drift.ts';
import { addContractTest } from './commands/contract/test.ts';
import { addDeadLetterList } from './commands/dead-letter/list.ts';
import { addDeadLetterRedrive } from './commands/dead-letter/redrive.ts';
import { addDeadLetterShow } from './commands/dead-letter/show.ts';
import { addDeploy } from './commands/deploy/add-deploy.ts';
import { addDoctor } from './commands/doctor/doctor.ts';
import { addEventsReplay } from './commands/events/replay.ts';
import { addHistoryCompare } from './commands/history/compare.ts';
import { addHistoryExport } from './commands/history/export.ts';
import { addHistoryExtend } from './commands/history/extend.ts';
import { addHistoryJoin } from './commands/history/join.ts';
import { addInit } from './commands/init/init.ts';
import { addInsightsShow } from './commands/insights/show.ts';
import { addInsightsRebuild, addInsightsVerify } from './commands/insights/verify.ts';
import { addLookup } from './commands/lookup.ts';
import { addMcp } from './commands/mcp/mcp.ts';
import { addMessageExport } from './commands/message/export.ts';
import { addMessageGet } from './commands/message/get.ts';
import { addMessageImport } from './commands/message/import.ts';
import { addMessageList } from './commands/message/list.ts';
import { addNumberShow } from './commands/number/show.ts';
import { addOptOutList } from './commands/opt-out/list.ts';
import { addOptOutAdd, addOptOutRemove } from './commands/opt-out/record.ts';
import { addOutputs } from './commands/outputs.ts';
import { addPersonErase, addPersonReceipt } from './commands/person/erase.ts';
import { addPersonExport } from './commands/person/export.ts';
import { addQuarantineList } from './commands/quarantine/list.ts';
import { addQuarantineReplay } from './commands/quarantine/replay.ts';
import { addQuarantineShow } from './commands/quarantine/show.ts';
import { addReplyList } from './commands/reply/list.ts';
import { addSendFollow } from './commands/send/follow.ts';
import { addSendList } from './commands/send/list.ts';
import { addSendShow } from './commands/send/show.ts';
import { addDemo, addStart } from './commands/start.ts';
import { addTarget } from './commands/target.ts';
import { addWebhookRotate } from './commands/webhook/rotate.ts';
import { addWebhookStoreSecret } from './commands/webhook/store-secret.ts';
import { addWebhookTest } from './commands/webhook/test.ts';
import { addWebhookActions } from './commands/webhook/webhook.ts';
import { addCompletion } from './help/completion.ts';
import { findCommand, fullName, requireCommandFirst } from './help/find-command.ts';
import { formatHelp, inFull } from './help/format-help.ts';
import { addHelpCommand } from './help/help-command.ts';
import { applyTarget, targetOfCommand } from './input/apply-target.ts';
import { Command } from './input/command.ts';
import { applyDefaultContract, isTargetOption } from './input/options.ts';
import { type ChosenTarget, optionsLayer } from './target/choose-target.ts';
import type { Context, Terminal } from './target/context.ts';
import { describeTarget } from './target/default-target.ts';
import {
  CommandFailure,
  explainError,
  ReportedFailure,
  UnconfirmedError,
  UsageError,
} from './target/errors.ts';
import { sanitize, sanitizeLines } from './text/sanitize.ts';

/** Adds a command to its noun. */
type Add = (noun: Command, context: Context) => void;

/** A command that only groups others. */
interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Add[];
}

/** Every noun with its verbs, in the order of the help. A new command is registered here. */
const nouns: readonly Noun[] = [
  {
    name: 'message',
    summary: 'show, follow, list, export and import messages',
    commands: [addMessageGet, addMessageList, addMessageExport, addMessageImport],
  },
  { name: 'number', summary: 'show the conversation with a phone number', commands: [addNumberShow] },
  {
    name: 'send',
    summary: 'show how bulk sends are doing, and their messages',
    commands: [addSendList, addSendShow, addSendFollow],
  },
  {
    name: 'insights',
    summary: 'show delivery figures',
    commands: [addInsightsShow, addInsightsVerify, addInsightsRebuild],
  },
  { name: 'reply', summary: 'list what people answered', commands: [addReplyList] },
  {
    name: 'opt-out',
    summary: 'list numbers that opted out, and record what people say by phone',
    commands: [addOptOutList, addOptOutAdd, addOptOutRemove],
  },
  {
    name: 'quarantine',
    summary: 'inspect and replay what could not be stored as history',
    commands: [addQuarantineList, addQuarantineShow, addQuarantineReplay],
  },
  {
    name: 'dead-letter',
    summary: 'inspect and redrive dead-letter queues',
    commands: [addDeadLetterList, addDeadLetterShow, addDeadLetterRedrive],
  },
  {
    name: 'webhook',
    summary: 'manage the registration at the SMS service, and send a test event',
    commands: [addWebhookActions, addWebhookRotate, addWebhookStoreSecret, addWebhookTest],
  },
  {
    name: 'contract',
    summary: 'discover, test and change the contract with the SMS service',
    commands: [addContractDiscover, addContractTest, addContractDiff, addContractDrift, addContractCapture],
  },
  {
    name: 'history',
    summary: 'back up, restore, move and compare the whole history, and keep it longer',
    commands: [addHistoryExport, addHistoryJoin, addHistoryCompare, addHistoryExtend],
  },
  { name: 'events', summary: 'publish archived events again', commands: [addEventsReplay] },
  {
    name: 'person',
    summary: 'erase or hand over what is stored about a person',
    commands: [addPersonErase, addPersonReceipt, addPersonExport],
  },
];

/** What to type after a wrong command line. */
function nextSteps(command: Command): string {
  const [example] = command.parent === null ? [] : command.texts.examples;
  const help = `${fullName(command)} --help shows ${command.commands.length > 0 ? 'the commands' : 'the accepted options'}.`;
  return example === undefined ? help : `For example: ${inFull(example)}\n${help}`;
}

/** 0: done. 1: failed. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command. Every error ends here, as a line on stderr and an exit code.
 *
 * @param args without the interpreter and the script
 */
export async function runCommand(args: readonly string[], context: Context): Promise<ExitCode> {
  const program = buildProgram(context, args.slice(1));
  let command = program;
  try {
    await addCompletion(program, args);
    requireCommandFirst(program, args);
    command = findCommand(program, args);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return fail(error, command, context.terminal);
  }
}

/**
 * Builds the whole command line. Completion and the reference are made from it too.
 *
 * @param rest the words after the first one, which start, demo and deploy pass on
 */
export function buildProgram(context: Context, rest: readonly string[] = []): Command {
  const { out, err, columns, colour } = context.terminal;
  const width = () => columns ?? 100;
  const program = new Command('sms')
    .description('Queries delivery reports and replies, and operates the pipeline.')
    .version(project.version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ formatHelp })
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(sanitizeLines(text)),
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      getOutHasColors: () => colour,
    })
    .exitOverride()
    .hook('preAction', async (_program, command) => {
      applyDefaultContract(command);
      // The command target rewrites a file that cannot be read.
      if (!command.options.some(isTargetOption) || command.name() === 'target') return;
      // Read now, because a wrong TZ must end a command before it changes anything.
      void context.terminal.zone;
      const chosen = targetOfCommand(command, await context.targetSources());
      applyTarget(command, chosen);
      if (command.getOptionValue('confirm') === true || changing.has(nameOf(command)))
        announce(chosen, context.terminal);
    })
    .explain({
      examples: [
        'message get msg-0001',
        'number show "+1 202 555 0143"',
        'message list --since yesterday',
        'webhook status',
        'help lists',
      ],
      notes:
        'Exit codes: 0 done (an empty list too), 1 failed, 2 wrong usage. DEBUG=1 shows the stack trace of an unexpected error.',
    });
  for (const { name, summary, commands } of nouns) {
    const noun = program
      .command(name)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`);
    noun.helpCommand(false);
    for (const add of commands) add(noun, context);
  }
  for (const add of [addStart, addDemo, addDeploy]) add(program, context, rest);
  for (const add of [
    addLookup,
    addConsole,
    addMcp,
    addDoctor,
    addAccess,
    addOutputs,
    addApi,
    addTarget,
    addInit,
  ])
    add(program, context);
  addHelpCommand(program, out, width);
  return program;
}

/** Commands that change something and do not always ask. */
const changing: ReadonlySet<string> = new Set([
  'webhook register',
  'webhook reconcile',
  'webhook store-secret',
  'webhook test',
  'opt-out add',
  'opt-out remove',
  'quarantine replay',
  'dead-letter redrive',
  'events replay',
  'lookup',
  // These two are commands of `contract`.
  'capture on',
  'capture off',
]);

function nameOf(command: CommanderCommand): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${parent.name()} ${command.name()}`;
}

/** Names the pipeline of a change that is made without a question. Options that named it are on the screen already. */
function announce({ target, chosenBy }: ChosenTarget, { err }: Pick<Terminal, 'err'>): void {
  if (chosenBy.every((by) => by === optionsLayer)) return;
  err(`${sanitize(`Working with ${describeTarget(target)}, chosen by ${chosenBy.join(', then ')}.`)}\n`);
}

function fail(error: unknown, command: Command, { err, debug }: Terminal): ExitCode {
  const print = (text: string) => err(`${sanitizeLines(text)}\n`);
  // Commander has already printed its message. A requested help text is not an error.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help') print(nextSteps(command));
    return 2;
  }
  if (error instanceof ReportedFailure) return 1;
  if (error instanceof UsageError) {
    print(`error: ${error.message}\n${nextSteps(command)}`);
    return 2;
  }
  if (error instanceof UnconfirmedError) {
    print(`error: ${error.message}`);
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
