#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { runCommand } from '../cli/program.ts';
import { createConnect } from '../cli/target/connection.ts';
import { post } from '../cli/target/context.ts';
import { findDefaultTarget } from '../cli/target/default-target.ts';
import { interruptibleWait } from '../cli/target/polling.ts';
import { processTerminal } from '../cli/target/terminal.ts';
import { callersFolder } from '../local/run/callers-folder.ts';

const project = resolve(import.meta.dirname, '..');
// Relative paths on the command line are relative to the caller's folder. In npm's folder an export would write personal data into the project.
process.chdir(callersFolder(['sms'], project, process.cwd(), process.env));

const connect = createConnect(project);
const context = {
  terminal: processTerminal(),
  clock: Date.now,
  newId: randomUUID,
  connect,
  defaultTarget: findDefaultTarget(process.cwd(), process.env),
  post,
  beginWaiting: () => interruptibleWait(process, process.stdout),
};
process.exitCode = await runCommand(process.argv.slice(2), context);
