import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { forTerminal } from '../text/sanitize.ts';
import type { Terminal } from './context.ts';
import { CommandFailure } from './errors.ts';
import { readerZone } from './zone.ts';

/** Returns the terminal or pipe of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  let isClosed = false;
  let hasFailed = false;
  // "sms number show ... | head" closes the pipe early, which is not a failure. The process continues, because a command must
  // finish its changes.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    isClosed = true;
    if (error.code === 'EPIPE' || hasFailed) return;
    hasFailed = true;
    stderr.write(`error: The output cannot be written (${error.code ?? error.name}).\n`);
  });
  // An error of stderr cannot be reported.
  stderr.on('error', () => undefined);
  process.once('exit', () => {
    if (hasFailed) process.exitCode = 1;
  });
  return {
    // Commands clean what comes from outside. If one forgets that, the terminal does not obey it all the same.
    out: (text) => void stdout.write(stdout.isTTY === true ? forTerminal(text) : text),
    err: (text) => void stderr.write(forTerminal(text)),
    bytes: (bytes) => void stdout.write(bytes),
    // Node's own rules: NO_COLOR, NODE_DISABLE_COLORS, FORCE_COLOR, the kind of terminal.
    colour: styleText('bold', 'x', { stream: stdout }) !== 'x',
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    // A getter: a wrong TZ fails only the commands that read or show a time.
    get zone() {
      return readerZone(env.TZ, Intl.DateTimeFormat().resolvedOptions().timeZone);
    },
    closed: () => isClosed,
    ask: stdin.isTTY === true && stdout.isTTY === true ? ask : undefined,
    isWatched: stderr.isTTY === true,
    debug: env.DEBUG === '1',
  };
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D close the interface without an answer.
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    return await lines.question(question, { signal: ended.signal });
  } catch (error) {
    if (ended.signal.aborted) throw new CommandFailure('Interrupted: nothing was written.');
    throw error;
  } finally {
    lines.close();
  }
}
