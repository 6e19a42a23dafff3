import { nearestNames } from '../../contract/document/nearest-names.ts';
import { Command } from '../input/command.ts';
import { UsageError } from '../target/errors.ts';
import { shellQuoted } from '../text/format.ts';

/** Words that people try for the same verb. */
const synonyms: readonly (readonly string[])[] = [
  ['get', 'show', 'view', 'describe', 'status', 'read'],
  ['list', 'ls', 'search', 'find'],
  ['follow', 'tail', 'watch', 'listen'],
  ['erase', 'delete', 'remove', 'rm'],
  ['replay', 'redrive', 'retry', 'resend'],
];

/**
 * Finds the command that words begin with. Options and arguments end the words.
 *
 * @returns a noun where the words name no verb
 * @throws UsageError for an unknown noun or verb, with what it was most likely meant to be
 */
export function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const [index, word] of words.entries()) {
    if (found.commands.length === 0 || word.startsWith('-')) break;
    const next = found.commands.find((command) => command.name() === word);
    if (!(next instanceof Command)) throw unknownCommand(program, found, words.slice(index));
    found = next;
  }
  return found;
}

/** @throws UsageError for options of a command that are typed before it: `sms --local message get x` */
export function requireCommandFirst(program: Command, words: readonly string[]): void {
  const [first = ''] = words;
  const names = new Set(program.commands.map((command) => command.name()));
  const at = words.findIndex((word) => names.has(word));
  if (!first.startsWith('-') || at < 0 || ['-h', '--help', '--version'].includes(first)) return;
  const command = [...words.slice(at), ...words.slice(0, at)].map(shellQuoted).join(' ');
  throw new UsageError(
    `${first} is in front of the command. Options follow it: ${fullName(program)} ${command}`,
  );
}

/** The words of a command with the program's name: `sms message get`. */
export function fullName(command: Command): string {
  return command.parent instanceof Command ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

function unknownCommand(program: Command, parent: Command, words: readonly string[]): UsageError {
  const unknown = `There is no command "${fullName(parent)} ${words[0]}".`;
  const meant = parent === program ? meantAtTop(program, words) : meantVerbs(parent, words[0] ?? '');
  if (meant.length > 0) return new UsageError(`${unknown} Did you mean ${meant.join(', ')}?`);
  const names = parent.commands.map((command) => command.name());
  return new UsageError(`${unknown} Expected one of these after ${fullName(parent)}: ${names.join(', ')}.`);
}

/** The commands with that verb (`replay`), or a noun that one of the words resembles (`messages`, `history message`). */
function meantAtTop(program: Command, words: readonly string[]): string[] {
  const names = program.commands.map((command) => command.name());
  const [noun] = words.slice(0, 2).flatMap((word) => nearestNames(singular(word), names));
  const all = [...program.leaves(`${fullName(program)} `)];
  const ofWord = all.filter(({ command }) => command.name() === words[0]);
  if (ofWord.length > 0) return ofWord.map(({ words }) => words);
  const ofNoun = all.filter(({ words }) => `${words} `.startsWith(`${fullName(program)} ${noun} `));
  const ofVerb = (noun === undefined ? all : ofNoun).filter(({ command }) => words.includes(command.name()));
  return (ofVerb.length > 0 ? ofVerb : ofNoun).map(({ words }) => words);
}

function meantVerbs(noun: Command, word: string): string[] {
  const names = noun.commands.map((command) => command.name());
  const alike = synonyms.find((group) => group.includes(word)) ?? [];
  const [meant] = [...nearestNames(word, names), ...names.filter((name) => alike.includes(name))];
  return meant === undefined ? [] : [`${fullName(noun)} ${meant}`];
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}
