import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readCdkDefaults } from '../cli/commands/deploy/arguments.ts';
import { deploy } from '../cli/commands/deploy/deploy.ts';
import { deployedAccount } from '../cli/commands/deploy/deployed-account.ts';
import { readPlannedStacks } from '../cli/commands/deploy/stacks.ts';
import { processTerminal } from '../cli/target/terminal.ts';

const root = resolve(import.meta.dirname, '..');

/** Runs the CDK of this project on this terminal. */
function runCdk(args: readonly string[]): Promise<number> {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const run = spawn(process.execPath, [cdk, ...args], { cwd: root, stdio: 'inherit' });
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

process.exitCode = await deploy(process.argv.slice(2), {
  terminal: processTerminal(),
  runCdk,
  readPlanned: readPlannedStacks,
  readDefaults: () => readCdkDefaults(root, homedir(), process.env),
  account: (target) => deployedAccount(target, process.env),
  outputDirectory: join(root, 'cdk.out'),
});
