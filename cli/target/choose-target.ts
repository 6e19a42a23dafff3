import { defaultStack } from '../../contract/document/project-store.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import { shellQuoted } from '../text/format.ts';
import type { Target } from './connection.ts';
import { CommandFailure } from './errors.ts';

/** A part of a target, or all of it, and what named it. */
export interface TargetLayer {
  readonly target: Partial<Target>;
  /** SMS_TARGET, the path of a .smsrc, or a setting. */
  readonly from: string;
}

/** What names the pipeline where options leave it open. */
export interface TargetSources {
  /** The pipeline that SMS_TARGET names, or else the nearest .smsrc. */
  readonly named?: TargetLayer;
  /** The name of the stack in the settings of the app. */
  readonly project?: TargetLayer;
  /** AWS_PROFILE */
  readonly awsProfile?: string;
}

export interface ChosenTarget {
  readonly target: Target;
  /** What named it, from the strongest to the weakest; empty for the defaults. */
  readonly chosenBy: readonly string[];
}

/** The layer of the command line. */
export const optionsLayer = 'options';

/**
 * Chooses the pipeline of a command. Options win over the named pipeline, and that over the settings of the app. Options that name another
 * kind of pipeline, or another profile, name another pipeline: nothing of the named one is used then.
 *
 * @param given what options name
 * @throws CommandFailure if AWS_PROFILE contradicts the named pipeline, and no option decides
 */
export function chooseTarget(
  given: Partial<Target>,
  { named, project, awsProfile }: TargetSources,
): ChosenTarget {
  const isUsed = named !== undefined && isSamePipeline(given, named.target);
  const all = [{ target: given, from: optionsLayer }, isUsed ? named : undefined, project];
  const layers = all.filter((layer) => layer !== undefined);
  const used = new Set<TargetLayer>();
  function first(isNamedBy: (target: Partial<Target>) => boolean): Partial<Target> {
    const layer = layers.find(({ target }) => isNamedBy(target));
    if (layer !== undefined) used.add(layer);
    return layer?.target ?? {};
  }
  const { local = false } = first((target) => target.local !== undefined);
  const { directory = '.local' } = first((target) => target.directory !== undefined);
  const { profile } = first((target) => target.profile !== undefined);
  const { region } = first((target) => target.region !== undefined);
  const { stack = defaultStack } = first((target) => target.stack !== undefined);
  if (isUsed && given.profile === undefined) refuseOtherProfile(named, awsProfile);
  return {
    target: { local, directory, stack, ...omitUndefined({ region, profile }) },
    chosenBy: layers.filter((layer) => used.has(layer)).map(({ from }) => from),
  };
}

function isSamePipeline(given: Partial<Target>, named: Partial<Target>): boolean {
  const { local = named.local, profile = named.profile } = given;
  return local === named.local && profile === named.profile;
}

/** @throws CommandFailure if AWS_PROFILE names another profile than SMS_TARGET or .smsrc */
function refuseOtherProfile(
  { target: { profile }, from }: TargetLayer,
  awsProfile: string | undefined,
): void {
  if (profile === undefined || awsProfile === undefined || profile === awsProfile) return;
  throw new CommandFailure(
    `AWS_PROFILE is "${awsProfile}", but ${from} names the profile "${profile}". Add --profile ${shellQuoted(profile)} or --profile ${shellQuoted(awsProfile)}, or type: unset AWS_PROFILE`,
  );
}
