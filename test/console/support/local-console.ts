import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../../..');

export interface LocalConsole {
  readonly origin: string;
  /** What the command prints: it opens the console. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Runs `sms console` for a pipeline on this machine, on a free port. @param directory of the pipeline */
export async function startLocalConsole(directory: string, contract: string): Promise<LocalConsole> {
  const child = spawn(
    process.execPath,
    ['bin/sms.ts', 'console', '--dir', directory, '--contract', contract],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const end = () => child.kill('SIGINT');
  // Also where a test run ends without stopping it.
  process.once('exit', end);
  const printed = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  const line = await Promise.race([printed, exited.then(([code]) => `exit ${code}`)]);
  const [, address] = /^console (http:\S+)$/.exec(line) ?? [];
  if (address === undefined) {
    end();
    throw new Error(`The console did not start: ${line}`);
  }
  return {
    address,
    origin: new URL(address).origin,
    stop: async () => {
      process.off('exit', end);
      end();
      await exited;
    },
  };
}
