import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { parseJson, whyNoJson } from '../text/json.ts';
import { pathOfContract } from './contract-file-store.ts';
import { ForeignFileError, readOwnFile, readRegularFile } from './own-file-store.ts';
import { nearestFolder, packageFolder } from './package-store.ts';

/** The name of the stand-alone app's stack, unless the setting `sms:stackName` changes it. */
export const defaultStack = 'SmsPipeline';

/** CDK context: settings and feature flags by key. */
export type Context = Readonly<Record<string, unknown>>;

/**
 * The folder of the app that this process works for: the nearest one with a cdk.json, at or above the folder that the process started in.
 * A clone of the repository is such an app, and is found from elsewhere too.
 */
export const projectFolder =
  nearestFolder(process.cwd(), isApp) ?? (isApp(packageFolder) ? packageFolder : process.cwd());

function isApp(folder: string): boolean {
  return existsSync(join(folder, 'cdk.json'));
}

const contextSchema = z.record(z.string(), z.unknown()).default({});
const cdkJsonSchema = z.looseObject({ app: z.string().optional(), context: contextSchema });

/** Thrown if a file of the CDK cannot be used; the message names the file and what was expected. */
export class ProjectFileError extends Error {
  override readonly name = 'ProjectFileError';
}

/** The command of the app in cdk.json. */
export function projectApp(folder = projectFolder): string {
  const { app } = read(join(folder, 'cdk.json'), cdkJsonSchema);
  if (app !== undefined) return app;
  throw new ProjectFileError(`${join(folder, 'cdk.json')}: expected "app", the command that runs the app`);
}

/**
 * The context that `cdk` reads from files: cdk.json, and below it cdk.context.json, where the settings of a clone are kept apart from the
 * files that an upgrade changes.
 */
export function projectContext(folder = projectFolder): Context {
  const own = join(folder, 'cdk.context.json');
  return {
    ...(existsSync(own) ? read(own, contextSchema) : {}),
    ...read(join(folder, 'cdk.json'), cdkJsonSchema).context,
  };
}

/** A setting of the app as its files hold it; undefined if there is no app. @param name without `sms:` */
export function projectSetting(name: string, folder = projectFolder): unknown {
  return isApp(folder) ? projectContext(folder)[`sms:${name}`] : undefined;
}

const sourcesSchema = z.record(z.string(), z.looseObject({ contractFile: z.string() }));

/**
 * The path of the contract that the app's settings name.
 *
 * @param source another source than `main`; without settings its file is taken to have its name
 */
export function projectContract(folder = projectFolder, source?: string): string {
  if (source === undefined) {
    const named = projectSetting('contractFile', folder);
    return resolve(folder, typeof named === 'string' ? pathOfContract(named) : 'contract.json');
  }
  const setting = projectSetting('sources', folder);
  const { data } = sourcesSchema.safeParse(typeof setting === 'string' ? parseJson(setting) : setting);
  const named = data?.[source]?.contractFile;
  return resolve(folder, named === undefined ? `${source}.json` : pathOfContract(named));
}

function read<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(readProjectFile(path));
  } catch (error) {
    if (error instanceof ForeignFileError)
      throw new ProjectFileError(
        isChosen(path)
          ? `${error.message}. Correct it.`
          : `${error.message}, and what it names is executed. If you trust it, run the command in ${dirname(path)}.`,
      );
    if (error instanceof SyntaxError)
      throw new ProjectFileError(`${path}: expected JSON: ${whyNoJson(error)}. Correct the file.`);
    if (error instanceof Error && 'code' in error)
      throw new ProjectFileError(
        `${path} cannot be read (${error.code}): run the command in the folder of your CDK app`,
      );
    throw error;
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ProjectFileError(`${path}: ${z.prettifyError(parsed.error)}. Correct the file.`);
}

/**
 * Reads a file of the app. A folder above the caller's is found by itself, so another user could put an app there, for example into /tmp.
 *
 * @throws ForeignFileError
 */
function readProjectFile(path: string): string {
  return isChosen(path) ? readRegularFile(path) : readOwnFile(path);
}

/** Whether the caller has chosen the folder of a file. */
const isChosen = (path: string) => [process.cwd(), packageFolder].includes(dirname(path));
