import type { Terminal } from './context.ts';

/** The terminal, or the pipe, that this process writes to. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  let isClosed = false;
  let hasFailed = false;
  // "sms history phone ... | head" closes the pipe early, which is no failure. Nothing ends the process: what a command
  // changes it has to finish.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    isClosed = true;
    if (error.code === 'EPIPE' || hasFailed) return;
    hasFailed = true;
    stderr.write(`error: The output cannot be written (${error.code ?? error.name}).\n`);
  });
  // There is nowhere left to say so.
  stderr.on('error', () => undefined);
  process.once('exit', () => {
    if (hasFailed) process.exitCode = 1;
  });
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    bytes: (bytes) => void stdout.write(bytes),
    colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    closed: () => isClosed,
    isWatched: stderr.isTTY === true,
    debug: env.DEBUG === '1',
  };
}
