import { defaultStack } from '../../contract/document/project-store.ts';
import { shellQuoted } from '../text/format.ts';
import type { Target } from './target.ts';

/**
 * Writes a command that reaches the same pipeline.
 *
 * @param words of the command and its options, without the program's name
 * @param argument of the command, in any text
 */
export function suggest(target: Target, words: string, argument?: string): string {
  if (argument === undefined) return `sms ${words}${sameTarget(target)}`;
  // Whatever follows -- is no option.
  return argument.startsWith('-')
    ? `sms ${words}${sameTarget(target)} -- ${shellQuoted(argument)}`
    : `sms ${words} ${shellQuoted(argument)}${sameTarget(target)}`;
}

/** Returns the options that name a pipeline and its source. */
export function sameTarget({ local, directory, stack, source, region, profile }: Target): string {
  const options = [
    ['dir', directory === '.local' ? undefined : directory],
    ['stack', stack === defaultStack ? undefined : stack],
    ['source', source],
    ['region', region],
    ['profile', profile],
  ] as const;
  const named = options.flatMap(([name, value]) =>
    value === undefined ? [] : ` --${name} ${shellQuoted(value)}`,
  );
  return [local ? ' --local' : '', ...named].join('');
}
