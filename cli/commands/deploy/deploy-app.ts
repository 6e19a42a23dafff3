import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../../contract/document/project-store.ts';
import type { TargetSources } from '../../target/choose-target.ts';
import { CommandFailure } from '../../target/errors.ts';
import { processTerminal } from '../../target/terminal.ts';
import { readCdkDefaults } from './arguments.ts';
import { deploy } from './deploy.ts';
import { deployedAccount } from './deployed-account.ts';
import { readPlannedStacks } from './stacks.ts';

/** Deploys the app on this terminal. @returns the exit code */
export function deployApp(args: readonly string[], sources: TargetSources): Promise<number> {
  return deploy(args, {
    terminal: processTerminal(),
    sources,
    runCdk,
    readPlanned: readPlannedStacks,
    readDefaults: () => readCdkDefaults(projectFolder, homedir(), process.env),
    account: (target) => deployedAccount(target, process.env),
    outputDirectory: join(projectFolder, 'cdk.out'),
  });
}

/** Runs the CDK of the app on this terminal. */
async function runCdk(args: readonly string[]): Promise<number> {
  const run = spawn(process.execPath, [findCdk(), ...args], { cwd: projectFolder, stdio: 'inherit' });
  // Ctrl-C reaches the CDK as well, which then stops by itself.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  return new Promise((done, failed) => {
    run.once('error', failed);
    run.once('close', (code) => {
      process.off('SIGINT', ignore);
      done(code ?? 1);
    });
  });
}

function findCdk(): string {
  try {
    return createRequire(join(projectFolder, 'package.json')).resolve('aws-cdk/bin/cdk');
  } catch {
    throw new CommandFailure(
      `${projectFolder} has no aws-cdk: run the command in the folder of your CDK app, after npm install --save-dev aws-cdk.`,
    );
  }
}
