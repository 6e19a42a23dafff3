import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandFailure } from '../failures.ts';
import type { DeployArguments } from './arguments.ts';

/** The credentials and the region of the CDK, as its command line and its files name them. */
export type CdkTarget = Pick<DeployArguments, 'region' | 'profile'>;

const schema = z.looseObject({ profile: z.string().optional(), region: z.string().optional() });

/**
 * Reads the profile and the region that the CDK uses where its command line names none: the environment's `CDK_PROFILE` and
 * `CDK_REGION`, then the project's cdk.json, then the user's ~/.cdk.json (aws-cdk, lib/cli/user-configuration.ts).
 *
 * @throws CommandFailure where a file cannot be read
 */
export async function readCdkDefaults(
  projectDirectory: string,
  homeDirectory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CdkTarget> {
  const project = await readTarget(join(projectDirectory, 'cdk.json'));
  const user = await readTarget(join(homeDirectory, '.cdk.json'));
  const profile = env.CDK_PROFILE ?? project.profile ?? user.profile;
  const region = env.CDK_REGION ?? project.region ?? user.region;
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(region === undefined ? {} : { region }),
  };
}

async function readTarget(file: string): Promise<z.output<typeof schema>> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CommandFailure(
      `${file} cannot be read: it must be a JSON object whose "profile" and "region" are text. Correct the file and try again.`,
    );
  }
}
