import type { Command } from 'commander';
import type { DefaultTarget } from '../target/default-target.ts';
import { isTargetOption } from './options.ts';

/**
 * Gives a command the pipeline that its options leave open. An option on the command line wins; one that names another kind of pipeline
 * (--local, or --profile and --region) leaves only the prefix to the default.
 */
export function applyDefaultTarget(command: Command, { target }: DefaultTarget): void {
  if (!command.options.some(isTargetOption)) return;
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  const choosesLocal = isGiven('local') || isGiven('dir');
  const choosesDeployed = isGiven('profile') || isGiven('region');
  const set = (name: string, value: unknown, isOtherKind: boolean) => {
    if (value !== undefined && !isGiven(name) && !isOtherKind)
      command.setOptionValueWithSource(name, value, 'config');
  };
  set('local', target.local, choosesDeployed);
  set('dir', target.directory, choosesDeployed);
  set('profile', target.profile, choosesLocal);
  set('region', target.region, choosesLocal);
  set('prefix', target.prefix, false);
}
