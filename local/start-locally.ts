import { join } from 'node:path';
import { ProjectFileError, projectFolder } from '../contract/document/project-store.ts';
import { cacheCompiledCode } from './processes/compile-cache.ts';
import { callersFolder } from './run/callers-folder.ts';
import { HELP, type Options, parseOptions } from './run/options.ts';
import { requirePackages } from './run/required-packages.ts';
import type { LocalRun } from './run/run.ts';
import { Shutdown } from './run/shutdown.ts';
import type { ReportFill } from './run/start-console.ts';
import { type Progress, startProgress, UserError } from './terminal/terminal.ts';

/** The version that runs the functions in Lambda. */
const MINIMUM_NODE = 24;

/** Runs the app's stacks on this machine until a signal, or to the end of the demonstration, and then ends the process. */
export async function startLocally(args: readonly string[]): Promise<void> {
  const shutdown = new Shutdown();
  try {
    const from = callersFolder(['start', 'demo'], projectFolder, process.cwd(), process.env);
    const options = parseOptions(args, from);
    if (options.help) {
      console.log(HELP);
      return;
    }
    requireNode();
    shutdown.listen(options.demo ? 130 : 0);
    await start(options, shutdown);
  } catch (error) {
    // Failures during the shutdown are its consequences.
    const isExplained = error instanceof UserError || error instanceof ProjectFileError;
    if (!shutdown.ending) console.error(isExplained ? error.message : error);
    await shutdown.end(1);
  }
}

function requireNode(): void {
  if (Number(process.versions.node.split('.')[0]) >= MINIMUM_NODE) return;
  throw new UserError(
    `Node ${process.versions.node} is too old: a local run needs Node ${MINIMUM_NODE} or newer. In a clone, run \`npm ci\` and \`npm start\`. In an app, run \`npm install --save-dev node@${MINIMUM_NODE}\` and \`npx sms start\`.`,
  );
}

async function start(options: Options, shutdown: Shutdown): Promise<void> {
  requirePackages((name) => import.meta.resolve(name));
  const progress = startProgress(Date.now);
  cacheCompiledCode(process.env);
  // Loaded late, so that --help and invalid options are answered at once.
  const { runLocally } = await import('./run/run.ts');
  const run = await runLocally(options, progress, shutdown);
  const reportFill = options.console ? await serveConsole(options, run, progress, shutdown) : undefined;
  progress.print(`ready ${run.webhookUrl}`);
  if (options.demonstrate) {
    const { playDemonstration } = await import('./demo/play.ts');
    const missing = await playDemonstration(run, progress, Date.now);
    for (const line of missing) console.error(`missing: ${line}`);
    if (options.demo) return shutdown.end(missing.length === 0 ? 0 : 1);
  }
  if (options.sample) {
    const { playSample } = await import('./sample/play-sample.ts');
    const stateFile = run.tablesDirectory && join(run.tablesDirectory, 'sample.json');
    const missing = await playSample(run, stateFile, progress, shutdown, reportFill);
    for (const line of missing) console.error(`missing: ${line}`);
  }
  progress.print('');
  progress.print(`Logs of the functions are in ${run.logDirectory}. Ctrl-C ends the run.`);
}

/** The console has the port after the five of the run. */
const consoleOffset = 5;

async function serveConsole(
  { port }: Options,
  { cliOptions, contractFile, watchProcess }: LocalRun,
  progress: Progress,
  shutdown: Shutdown,
): Promise<ReportFill | undefined> {
  const { providePage, startConsole } = await import('./run/start-console.ts');
  if (!(await providePage(progress))) return undefined;
  const watch = (pid: number) => watchProcess('console', pid);
  const ofContract = contractFile === undefined ? [] : ['--contract', contractFile];
  const options = {
    cliOptions: [...cliOptions, ...ofContract],
    folder: projectFolder,
    port: port + consoleOffset,
    watch,
  };
  return startConsole(options, progress, shutdown);
}
