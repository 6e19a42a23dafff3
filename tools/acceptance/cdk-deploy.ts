import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** An app of this project that is deployed. */
export interface Deployment {
  /** The app's file, relative to the project. */
  readonly appFile: string;
  readonly region: string;
  /** Receives the folder `cdk.out` and the outputs of the stacks. */
  readonly directory: string;
  readonly context: Readonly<Record<string, string>>;
}

/** The file of `cdk deploy --outputs-file` in the folder of a deployment. */
export const outputsFile = (directory: string) => join(directory, 'outputs.json');

/**
 * Runs `cdk deploy` for all stacks of an app.
 *
 * @param signal interrupts the deployment
 * @param output where its output goes: the output of this process, or the descriptor of a file
 * @throws Error if the deployment fails or is interrupted
 */
export async function cdkDeploy(
  { appFile, region, directory, context }: Deployment,
  signal: AbortSignal,
  output: 'inherit' | number = 'inherit',
): Promise<void> {
  const args = [
    'deploy',
    '--all',
    '--app',
    // Quotes are for a path with spaces.
    `"${process.execPath}" ${appFile}`,
    '--output',
    join(directory, 'cdk.out'),
    '--outputs-file',
    outputsFile(directory),
    '--require-approval',
    'never',
    '--progress',
    'events',
    ...Object.entries(context).flatMap(([name, value]) => ['--context', `${name}=${value}`]),
  ];
  const cdk = spawn(process.execPath, [join(root, 'node_modules/aws-cdk/bin/cdk'), ...args], {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, AWS_REGION: region },
  });
  const end = () => cdk.kill('SIGINT');
  signal.addEventListener('abort', end);
  const [code] = await once(cdk, 'close');
  signal.removeEventListener('abort', end);
  if (code !== 0) throw new Error(signal.aborted ? 'interrupted' : `cdk deploy ended with ${code}`);
}
