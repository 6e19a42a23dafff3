import { join } from 'node:path';
import * as z from 'zod';
import { readRegularFile } from '../../../contract/document/own-file-store.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { CommandFailure } from '../../target/errors.ts';

/** The arguments of `npm run deploy` that the comparison uses. All arguments go to `cdk deploy`. */
export interface DeployArguments {
  /** Whether every question is answered with yes, also those of `cdk deploy`. */
  readonly yes: boolean;
  readonly region?: string;
  /** A profile of the AWS configuration files. */
  readonly profile?: string;
  /** The context arguments, which `cdk synth` needs to synthesize the same stacks. */
  readonly context: readonly string[];
}

/** The options with values that are read here, by their short and long names. */
const valued: Readonly<Record<string, 'context' | 'region' | 'profile'>> = {
  '-c': 'context',
  '--context': 'context',
  '--region': 'region',
  '--profile': 'profile',
};

/** Reads the arguments like `cdk`: a value follows its option or an equals sign. */
export function readDeployArguments(args: readonly string[]): DeployArguments {
  const values = { context: [] as string[], region: [] as string[], profile: [] as string[] };
  for (let index = 0; index < args.length; index += 1) {
    const [name = '', ...inline] = (args[index] ?? '').split('=');
    const option = valued[name];
    if (option === undefined) continue;
    const value = inline.length > 0 ? inline.join('=') : args[index + 1];
    if (inline.length === 0) index += 1;
    if (value !== undefined) values[option].push(value);
  }
  const [region, profile] = [values.region.at(-1), values.profile.at(-1)];
  return {
    yes: args.includes('--yes') || args.includes('-y'),
    ...omitUndefined({ region, profile }),
    context: values.context.flatMap((value) => ['--context', value]),
  };
}

/** The credentials and the region of the CDK, as its command line and its files name them. */
export type CdkTarget = Pick<DeployArguments, 'region' | 'profile'>;

const schema = z.looseObject({ profile: z.string().optional(), region: z.string().optional() });

/**
 * Reads the profile and the region that the CDK uses if its command line names none: the environment's `CDK_PROFILE` and
 * `CDK_REGION`, then the project's cdk.json, then the user's ~/.cdk.json (aws-cdk, lib/cli/user-configuration.ts).
 *
 * @throws CommandFailure if a file cannot be read
 */
export async function readCdkDefaults(
  projectDirectory: string,
  homeDirectory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CdkTarget> {
  const project = readTarget(join(projectDirectory, 'cdk.json'));
  const user = readTarget(join(homeDirectory, '.cdk.json'));
  return omitUndefined({
    profile: env.CDK_PROFILE ?? project.profile ?? user.profile,
    region: env.CDK_REGION ?? project.region ?? user.region,
  });
}

function readTarget(file: string): z.output<typeof schema> {
  try {
    return schema.parse(JSON.parse(readRegularFile(file)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CommandFailure(
      `${file} cannot be read: it must be a JSON object whose "profile" and "region" are text. Correct the file and try again.`,
    );
  }
}
