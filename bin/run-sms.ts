import { randomUUID } from 'node:crypto';
import { runCommand } from '../cli/program.ts';
import { createConnect } from '../cli/target/connection.ts';
import { post } from '../cli/target/context.ts';
import { findTargetSources } from '../cli/target/default-target.ts';
import { interruptibleWait } from '../cli/target/polling.ts';
import { processTerminal } from '../cli/target/terminal.ts';
import { projectFolder } from '../contract/document/project-store.ts';
import { callersFolder } from '../local/run/callers-folder.ts';

const [command, ...args] = process.argv.slice(2);

// The local run and the CDK read their own arguments. Both are loaded late, because other commands need neither.
switch (command) {
  case 'start':
  case 'demo': {
    const { startLocally } = await import('../local/start-locally.ts');
    await startLocally(command === 'demo' ? ['--demo', ...args] : args);
    break;
  }
  case 'deploy': {
    const { deployApp } = await import('../cli/commands/deploy/deploy-app.ts');
    process.exitCode = await deployApp(args);
    break;
  }
  default:
    process.exitCode = await runSms();
}

function runSms(): Promise<number> {
  // Relative paths on the command line are relative to the caller's folder. In npm's folder an export would write personal data into the project.
  process.chdir(callersFolder(['sms'], projectFolder, process.cwd(), process.env));
  return runCommand(process.argv.slice(2), {
    terminal: processTerminal(),
    clock: Date.now,
    newId: randomUUID,
    connect: createConnect(projectFolder),
    targetSources: () => findTargetSources(process.cwd(), projectFolder, process.env),
    post,
    beginWaiting: () => interruptibleWait(process, process.stdout),
  });
}
