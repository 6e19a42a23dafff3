import type { Terminal } from '../target/context.ts';
import { describeTarget } from '../target/default-target.ts';
import { CommandFailure, UnconfirmedError } from '../target/errors.ts';
import { sanitizeLines } from '../text/sanitize.ts';
import type { Command } from './command.ts';
import { type TargetOptions, targetOf } from './options.ts';

/** The option of a command that asks before it changes something. */
export interface ConfirmOptions {
  readonly confirm?: true;
}

/** Adds --confirm. @param description what the command does without a question */
export function addConfirmOption(command: Command, description: string): Command {
  return command.option('--confirm', description);
}

/** A change that cannot be undone, or that costs something. */
export interface Consequence {
  /** A sentence without its full stop, which may follow others: `An erasure is permanent`. */
  readonly text: string;
  /** What --confirm does: `deletes it`. */
  readonly confirms: string;
  /** Answers a no: `Nothing was deleted.` */
  readonly refused: string;
}

/**
 * Goes on with --confirm, or after a yes on a terminal. The question names the pipeline, which may be chosen by a file in a folder above.
 *
 * @throws UnconfirmedError without a terminal, CommandFailure for any answer but yes
 */
export async function confirm(
  consequence: Consequence,
  options: ConfirmOptions & TargetOptions,
  terminal: Pick<Terminal, 'ask'>,
): Promise<void> {
  if (options.confirm === true) return;
  await confirmHere(consequence, options, terminal, ` The pipeline is ${describeTarget(targetOf(options))}.`);
}

/**
 * Goes on as {@link confirm} does, if no pipeline is changed.
 *
 * @param note a sentence for the end, after a blank
 */
export async function confirmHere(
  { text, confirms, refused }: Consequence,
  options: ConfirmOptions,
  { ask }: Pick<Terminal, 'ask'>,
  note = '',
): Promise<void> {
  if (options.confirm === true) return;
  if (ask === undefined) throw new UnconfirmedError(`${text}: --confirm ${confirms}.${note}`);
  const answer = await ask(sanitizeLines(`${text}.${note} Go on? [y/N] `));
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure(refused);
}
