#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createConnect } from '../cli/connection.ts';
import { post } from '../cli/post.ts';
import { runCommand } from '../cli/program.ts';
import { processTerminal } from '../cli/terminal.ts';
import { interruptibleWait } from '../cli/wait.ts';

const connect = createConnect(resolve(import.meta.dirname, '..'));
const context = {
  terminal: processTerminal(),
  clock: Date.now,
  newId: randomUUID,
  connect,
  post,
  beginWaiting: () => interruptibleWait(process, process.stdout),
};
process.exitCode = await runCommand(process.argv.slice(2), context);
