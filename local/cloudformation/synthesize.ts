import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Context, projectApp } from '../../contract/document/project-store.ts';
import { UserError } from '../terminal/terminal.ts';

/** The context key that names the command of another app than the project's: `-c local:app='node local-app.ts'`. */
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
  const command = String(context[APP] ?? projectApp(projectDirectory));
  const child = spawn(command, {
    cwd: projectDirectory,
    // As the CDK runs it.
    shell: true,
    env: {
      ...environmentWithoutAccount(),
      // `node` is the one that runs this process.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
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
    throw new UserError(Buffer.concat(lines).toString('utf8').trim() || `${command} ended with code ${code}`);
  }
  // The folder may be in an app whose package.json makes all its files ES modules. Lambda sees only the code of a function.
  writeFileSync(join(outputDirectory, 'package.json'), '{}');
}

/** A local run must not depend on the AWS account of the terminal. */
function environmentWithoutAccount(): NodeJS.ProcessEnv {
  const { CDK_DEFAULT_ACCOUNT: _account, CDK_DEFAULT_REGION: _region, ...environment } = process.env;
  return environment;
}
