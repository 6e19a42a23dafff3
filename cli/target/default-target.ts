import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../text/format.ts';
import type { Target } from './connection.ts';
import { UsageError } from './errors.ts';

/** The file that names the pipeline of a folder and of the folders below it: one line. */
export const targetFile = '.smsrc';

/** The pipeline of commands that name none with options. */
export interface DefaultTarget {
  readonly target: Partial<Target>;
  /** Where it is written: SMS_TARGET or the path of a file. */
  readonly from: string;
}

const cdkJson = z.object({ context: z.object({ 'sms:stackPrefix': z.string() }) });

/**
 * Finds the pipeline of a folder: SMS_TARGET, the nearest .smsrc, the nearest cdk.json that names a prefix of stacks.
 *
 * @param folder the caller's folder
 * @throws UsageError for a text that names no pipeline
 */
export function findDefaultTarget(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): DefaultTarget | undefined {
  const { SMS_TARGET: text = '' } = environment;
  if (text !== '') return { target: readTarget(text, 'SMS_TARGET', folder), from: 'SMS_TARGET' };
  const rc = nearest(folder, targetFile);
  if (rc !== undefined)
    return { target: readTarget(readFileSync(rc, 'utf8').trim(), rc, dirname(rc)), from: rc };
  const cdk = nearest(folder, 'cdk.json');
  const settings = cdkJson.safeParse(cdk === undefined ? undefined : parseJson(readFileSync(cdk, 'utf8')));
  if (cdk === undefined || !settings.success) return undefined;
  return { target: { prefix: settings.data.context['sms:stackPrefix'] }, from: cdk };
}

function nearest(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const above = dirname(folder);
  return above === folder ? undefined : nearest(above, name);
}

/**
 * Reads `local`, `local:<folder>` or `<profile>/<region>/<prefix>`. An empty profile or region is that of the AWS CLI; the prefix of the
 * stacks' names may be left out.
 *
 * @param from names the text in an error
 * @param folder the base of a relative folder
 * @throws UsageError
 */
export function readTarget(text: string, from: string, folder: string): Partial<Target> {
  const [, directory] = /^local(?::(.+))?$/.exec(text) ?? [];
  if (text === 'local' || directory !== undefined)
    return { local: true, ...(directory === undefined ? {} : { directory: resolve(folder, directory) }) };
  const [, profile = '', region = '', prefix = ''] =
    /^([^/\s]*)\/([a-z0-9-]*)(?:\/([A-Za-z][A-Za-z0-9-]*))?$/.exec(text) ?? [];
  if (profile === '' && region === '' && prefix === '')
    throw new UsageError(
      `${from} "${text}" names no pipeline. Expected local, local:<folder> or <profile>/<region>/<prefix of the stacks>, for example prod/eu-west-1/SmsPipeline.`,
    );
  return {
    local: false,
    ...(profile === '' ? {} : { profile }),
    ...(region === '' ? {} : { region }),
    ...(prefix === '' ? {} : { prefix }),
  };
}

/** Writes a target as {@link readTarget} reads it. */
export function writeTarget({ local, directory, profile = '', region = '', prefix }: Target): string {
  if (local) return directory === '.local' ? 'local' : `local:${directory}`;
  return `${profile}/${region}/${prefix}`;
}
