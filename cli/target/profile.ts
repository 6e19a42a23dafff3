import { shellQuoted } from '../text/format.ts';
import { CommandFailure } from './errors.ts';

/** @throws CommandFailure for a profile that the configuration files of AWS do not have */
export async function checkProfile(profile: string): Promise<void> {
  const { loadSharedConfigFiles } = await import('@smithy/core/config');
  const { configFile, credentialsFile } = await loadSharedConfigFiles();
  const profiles = Object.keys({ ...configFile, ...credentialsFile }).filter(
    (name) => !/^(sso-session|services)\./.test(name),
  );
  if (profiles.includes(profile)) return;
  const hint =
    profiles.length === 0
      ? `There are no profiles on this machine. To make this one, type: aws configure sso --profile ${shellQuoted(profile)}`
      : `The profiles in ~/.aws/config and ~/.aws/credentials are: ${profiles.join(', ')}.`;
  throw new CommandFailure(`There is no AWS profile "${profile}". ${hint}`);
}
