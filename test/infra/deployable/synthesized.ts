import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildApp, type Context, newFolder } from '../support.ts';
import { readStacks, type Stack } from './stack.ts';

const root = resolve(import.meta.dirname, '../../..');

/** The pipeline's stacks with these settings, with bundles that do nothing. */
export function pipelineStacks(context: Context = {}): Stack[] {
  return readStacks(buildApp(context).app.synth().directory);
}

/** The stacks of an app of this repository, run as its README says, without credentials. */
export async function stacksOf(app: string, context: Context = {}): Promise<Stack[]> {
  const outdir = newFolder();
  await promisify(execFile)(process.execPath, [join(root, app)], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
  });
  return readStacks(outdir);
}
