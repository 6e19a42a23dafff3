import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readOwnFileOfFolder } from '../../contract/document/own-file-store.ts';
import { ProjectFileError, projectSetting } from '../../contract/document/project-store.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import { sanitize } from '../text/sanitize.ts';
import type { TargetLayer, TargetSources } from './choose-target.ts';
import type { Target } from './connection.ts';
import { CommandFailure, explainFileErrors } from './errors.ts';

/** The file that names the pipeline of a folder and of the folders below it: one line. */
export const targetFile = '.smsrc';

/** A profile, a region and a stack, or the path of a folder, are shorter. */
const maxFileBytes = 1024;

/** How much of a text that names no pipeline is shown. */
const maxShownLength = 80;

/** The text of a target, for help and errors. */
export const targetForms = 'local, local:<folder> or <profile>/<region>/<stack>';

/**
 * Finds what names the pipeline where options leave it open.
 *
 * @param folder the caller's folder
 * @param project the folder of the app
 * @throws CommandFailure for a text that names no pipeline, and a file that cannot be read or that another user can write; ProjectFileError for a cdk.json
 */
export async function findTargetSources(
  folder: string,
  project: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<TargetSources> {
  return omitUndefined({
    named: await findNamed(folder, environment.SMS_TARGET),
    project: findStackName(project),
    awsProfile: environment.AWS_PROFILE || undefined,
  });
}

async function findNamed(folder: string, variable = ''): Promise<TargetLayer | undefined> {
  if (variable !== '') {
    const target = readTarget(variable, folder);
    if (target !== undefined) return { target, from: 'SMS_TARGET' };
    throw new CommandFailure(`SMS_TARGET ${namesNoPipeline(variable)} Correct SMS_TARGET, or unset it.`);
  }
  const path = nearest(folder, targetFile);
  if (path === undefined) return undefined;
  const text = await explainFileErrors(
    (code) => `${path} cannot be read (${code}). Remove it, then choose a pipeline with: sms target <target>`,
    async () => readOwnFileOfFolder(path),
  );
  const again = `To write it again, type in ${dirname(path)}: sms target <target>`;
  if (Buffer.byteLength(text) > maxFileBytes)
    throw new CommandFailure(
      `${path} has more than ${maxFileBytes} bytes, so it names no pipeline. ${again}`,
    );
  const target = readTarget(text.trim(), dirname(path));
  if (target !== undefined) return { target, from: path };
  throw new CommandFailure(`${path} ${namesNoPipeline(text.trim())} ${again}`);
}

/** The name of the stack in the settings of the app, which a local run has too. */
function findStackName(project: string): TargetLayer | undefined {
  const stack = projectSetting('stackName', project);
  if (stack === undefined) return undefined;
  if (typeof stack === 'string') return { target: { stack }, from: `sms:stackName in ${project}` };
  throw new ProjectFileError(
    `sms:stackName in ${project}: expected text. Correct it in "context" in cdk.json.`,
  );
}

function nearest(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const above = dirname(folder);
  return above === folder ? undefined : nearest(above, name);
}

const stackPattern = '[A-Za-z][A-Za-z0-9-]*(?::\\w*)?';
const deployedTarget = new RegExp(`^((?!-)[^/\\s]*)/((?!-)[a-z0-9-]*)(?:/(${stackPattern}))?$`);

/** Returns whether a text is the name of a stack, with or without the id of a pipeline in it: `App:Sms`. */
export function namesStack(text: string): boolean {
  return new RegExp(`^${stackPattern}$`).test(text);
}

/**
 * Reads a target in one of the {@link targetForms}; undefined for another text, and for one whose profile or region looks like an option. An empty profile or region is that of the AWS CLI; the
 * stack may be left out.
 *
 * @param folder the base of a relative folder
 */
export function readTarget(text: string, folder: string): Partial<Target> | undefined {
  const [, directory] = /^local(?::(.+))?$/.exec(text) ?? [];
  if (text === 'local' || directory !== undefined)
    return { local: true, ...(directory === undefined ? {} : { directory: resolve(folder, directory) }) };
  const [, ...parts] = deployedTarget.exec(text) ?? [];
  const [profile, region, stack] = parts.map((part) => part || undefined);
  if ((profile ?? region ?? stack) === undefined) return undefined;
  return { local: false, ...omitUndefined({ profile, region, stack }) };
}

/** The end of a sentence about a text that {@link readTarget} cannot read. */
export function namesNoPipeline(text: string): string {
  const clean = sanitize(text);
  const shown = clean.length > maxShownLength ? `${clean.slice(0, maxShownLength)}…` : clean;
  return `"${shown}" names no pipeline. Expected ${targetForms}, for example prod/eu-west-1/SmsPipeline.`;
}

/** Writes a target as {@link readTarget} reads it. */
export function writeTarget({ local, directory, profile = '', region = '', stack }: Target): string {
  if (local) return directory === '.local' ? 'local' : `local:${directory}`;
  return `${profile}/${region}/${stack}`;
}

/** Names a target for a question or a notice, with what is known from the environment. The clients of AWS do not read AWS_DEFAULT_REGION. */
export function describeTarget(
  target: Target,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { AWS_PROFILE, AWS_REGION } = environment;
  const profile = target.profile ?? (AWS_PROFILE || undefined);
  const region = target.region ?? (AWS_REGION || undefined);
  if (target.local || (profile !== undefined && region !== undefined))
    return writeTarget({ ...target, ...omitUndefined({ profile, region }) });
  const place = region === undefined ? 'the default region' : region;
  return `the stack ${target.stack} in ${place}, with ${profile === undefined ? 'the default credentials' : `the profile ${profile}`}`;
}
