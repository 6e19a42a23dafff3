import { randomUUID } from 'node:crypto';
import { runCommand } from '../cli/program.ts';
import { createConnect } from '../cli/target/connection.ts';
import { createPost } from '../cli/target/context.ts';
import { findTargetSources } from '../cli/target/default-target.ts';
import { interruptibleWait } from '../cli/target/polling.ts';
import { createFetch } from '../cli/target/proxy.ts';
import { processTerminal } from '../cli/target/terminal.ts';
import { projectFolder } from '../contract/document/project-store.ts';
import { callersFolder } from '../local/run/callers-folder.ts';

// Relative paths on the command line are relative to the caller's folder. In npm's folder an export would write personal data into the project.
process.chdir(callersFolder(['sms'], projectFolder, process.cwd(), process.env));

process.exitCode = await runCommand(process.argv.slice(2), {
  terminal: processTerminal(),
  clock: Date.now,
  newId: randomUUID,
  connect: createConnect(projectFolder),
  targetSources: () => findTargetSources(process.cwd(), projectFolder, process.env),
  post: createPost(createFetch(process.env)),
  // Loaded late, because other commands do not need it.
  startLocally: async (args) => (await import('../local/start-locally.ts')).startLocally(args),
  beginWaiting: () => interruptibleWait(process, process.stdout),
});
