import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../terminal/terminal.ts';

/** CDK context: settings and feature flags by key. */
export type Context = Readonly<Record<string, unknown>>;

const cdkJsonSchema = z.looseObject({ context: z.record(z.string(), z.unknown()).default({}) });

/** The context that `cdk` reads from cdk.json: feature flags change templates, so a local run needs them too. */
export function projectContext(projectDirectory: string): Context {
  return cdkJsonSchema.parse(JSON.parse(readFileSync(join(projectDirectory, 'cdk.json'), 'utf8'))).context;
}

/** The context key that names another app than the project's: `-c local:app=tools/acceptance/app.ts`. */
const APP = 'local:app';

/**
 * Runs the CDK app as `cdk synth` would and leaves its cloud assembly in `outputDirectory`.
 * @throws UserError with the output of the app if it fails
 */
export async function synthesize(
  projectDirectory: string,
  outputDirectory: string,
  context: Context,
): Promise<void> {
  rmSync(outputDirectory, { recursive: true, force: true });
  const app = String(context[APP] ?? 'bin/app.ts');
  const child = spawn(process.execPath, [app], {
    cwd: projectDirectory,
    env: {
      ...environmentWithoutAccount(),
      CDK_OUTDIR: outputDirectory,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      // CDK's own template validation takes seconds; a deployment does it, and cdk-nag runs here too.
      CDK_VALIDATION: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    throw new UserError(Buffer.concat(lines).toString('utf8').trim() || `${app} ended with code ${code}`);
  }
}

/** A local run must not depend on the AWS account of the terminal. */
function environmentWithoutAccount(): NodeJS.ProcessEnv {
  const { CDK_DEFAULT_ACCOUNT: _account, CDK_DEFAULT_REGION: _region, ...environment } = process.env;
  return environment;
}
