import type { Terminal } from './context.ts';

/** The terminal, or the pipe, that this process writes to. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  // "sms history phone ... | head" closes the pipe early, which is no failure.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    bytes: (bytes) => void stdout.write(bytes),
    colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    debug: env.DEBUG === '1',
  };
}
