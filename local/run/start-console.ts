import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { pageFolder } from '../../contract/document/console-page-store.ts';
import { moduleFile, packageFolder } from '../../contract/document/package-store.ts';
import type { Progress } from '../terminal/terminal.ts';
import type { Shutdown } from './shutdown.ts';

/**
 * Builds the page of the console in a clone where it is missing, or older than its sources. The package has it already.
 *
 * @returns whether there is a page; if there is none, the reason is shown
 */
export async function providePage(
  progress: Pick<Progress, 'step' | 'note'>,
  root = packageFolder,
  build = buildPage,
): Promise<boolean> {
  if (pageFolder(root) !== undefined) return true;
  try {
    await build();
  } catch {
    progress.note('the console does not run: its page cannot be built; npm run build:console says why');
    return false;
  }
  progress.step('page of the console built');
  return true;
}

async function buildPage(): Promise<void> {
  const args = [
    join(packageFolder, 'node_modules/vite/bin/vite.js'),
    'build',
    'console',
    '--logLevel',
    'warn',
  ];
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, args, { cwd: packageFolder, env });
}

export interface ConsoleOptions {
  /** The options by which the command-line tool finds this run. */
  readonly cliOptions: readonly string[];
  /** The folder whose cdk.json names the contract. */
  readonly folder: string;
  readonly port: number;
  /** The module that runs the command line. */
  readonly script?: string;
  /** Ends the process with this run, however the run ends. Called with its pid. */
  readonly watch: (pid: number) => void;
}

export type ReportFill = (fill: { readonly sent: number; readonly all: number } | null) => void;

/**
 * Starts `sms console` for a run, as a process of its own, and shows its address. A console that cannot start is no reason to end the run.
 * Resolves once the address or the reason is shown.
 *
 * @returns a function that reports to the console how far a sample is: the events that were sent, and all of them; null at its end
 */
export async function startConsole(
  { cliOptions, folder, port, script = moduleFile('bin/sms.ts'), watch }: ConsoleOptions,
  progress: Pick<Progress, 'print' | 'note'>,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<ReportFill> {
  const child = fork(script, ['console', ...cliOptions, '--port', String(port)], {
    cwd: folder,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  watch(child.pid ?? 0);
  shutdown.add(() => child.kill());
  const exited = once(child, 'exit');
  const errors: string[] = [];
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const address = new Promise<string>((resolve) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', resolve);
  });
  const line = await Promise.race([address, exited.then(() => undefined)]);
  if (line !== undefined) progress.print(line);
  else progress.note(`the console does not run: ${errors.join(' ').replace(/^error: /, '')}`);
  return (sampleFill) => {
    // A console that ended needs no report.
    if (child.connected) child.send({ sampleFill }, () => {});
  };
}
