import { Command, CommanderError } from 'commander';
import project from '../package.json' with { type: 'json' };
import type { Context, Terminal } from './context.ts';
import { addContract } from './contract.ts';
import { addDlq } from './dlq.ts';
import { addErase } from './erase.ts';
import { explainError } from './explain-error.ts';
import { addExport } from './export.ts';
import { CommandFailure, UsageError } from './failures.ts';
import { addHistoryFailed } from './history-failed.ts';
import { addHistoryMessage } from './history-message.ts';
import { addHistoryPending } from './history-pending.ts';
import { addHistoryPhone } from './history-phone.ts';
import { addHistorySend } from './history-send.ts';
import { addOptOuts } from './opt-outs.ts';
import { addQuarantine } from './quarantine.ts';
import { addReplay } from './replay.ts';
import { addReplies } from './replies.ts';
import { addSend } from './send.ts';
import { sanitizeLines } from './text/sanitize.ts';
import { addWebhook } from './webhook.ts';

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
