import type { Command } from 'commander';
import { omitUndefined } from '../../functions/base/basics.ts';
import { type ChosenTarget, chooseTarget, type TargetSources } from '../target/choose-target.ts';
import type { Target } from '../target/connection.ts';
import { isTargetOption, type TargetOptions } from './options.ts';

/** Chooses the pipeline of a command by its options, and by what its options leave open. @throws CommandFailure */
export function targetOfCommand(command: Command, sources: TargetSources): ChosenTarget {
  const options = command.opts<TargetOptions>();
  const given = <Name extends keyof TargetOptions>(name: Name): TargetOptions[Name] | undefined =>
    command.getOptionValueSource(name) === 'cli' ? options[name] : undefined;
  const directory = given('dir');
  const deployed = omitUndefined({ region: given('region'), profile: given('profile') });
  const stack = given('stack');
  return chooseTarget(
    omitUndefined({
      local: kindOf({ directory, ...deployed }, given('local')),
      directory,
      stack,
      ...deployed,
    }),
    sources,
  );
}

/** Returns the options of the command line that name a pipeline, or a part of it. */
export function givenTargetOptions(command: Command): string[] {
  return command.options
    .filter(
      (option) => isTargetOption(option) && command.getOptionValueSource(option.attributeName()) === 'cli',
    )
    .map(({ long, flags }) => long ?? flags);
}

/** The kind of pipeline that options name, if they do. A stack may be of both kinds. */
function kindOf(
  { directory, ...deployed }: Partial<Record<keyof Target, unknown>>,
  local?: true,
): boolean | undefined {
  if (local === true || directory !== undefined) return true;
  return Object.values(deployed).some((value) => value !== undefined) ? false : undefined;
}

/** Gives a command the pipeline that it works with, as options. */
export function applyTarget(command: Command, { target }: ChosenTarget): void {
  const { local, directory: dir, ...names } = target;
  const options = { local: local || undefined, dir, ...names };
  for (const [name, value] of Object.entries(options))
    if (command.getOptionValueSource(name) !== 'cli') command.setOptionValueWithSource(name, value, 'config');
}
