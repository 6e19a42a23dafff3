import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type ExitCode, runCommand } from '../../cli/program.ts';
import { createConnect } from '../../cli/target/connection.ts';
import { type Context, createPost } from '../../cli/target/context.ts';

const projectDirectory = resolve(import.meta.dirname, '../..');

/** Connects as the command-line tool does. */
export const connectToPipeline = createConnect(projectDirectory);

export interface CommandOutcome {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs the command-line tool in this process, against the pipeline whose outputs are in a folder.
 *
 * @param connect how it connects: {@link connectToPipeline}, or faults around it
 */
export function smsCommand(
  directory: string,
  args: readonly string[],
  connect?: Context['connect'],
): Promise<CommandOutcome> {
  return runSms([...args, '--dir', directory], connect === undefined ? {} : { connect });
}

/**
 * Runs the command-line tool in this process, against the pipeline that the arguments name.
 *
 * @param parts of the command's context that differ from those of the command-line tool
 */
export async function runSms(args: readonly string[], parts: Partial<Context> = {}): Promise<CommandOutcome> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(args, {
    terminal: {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      bytes: (bytes) => void out.push(Buffer.from(bytes).toString()),
      colour: false,
      columns: undefined,
      zone: 'UTC',
      debug: false,
      closed: () => false,
      isWatched: false,
      ask: undefined,
    },
    clock: Date.now,
    newId: randomUUID,
    connect: connectToPipeline,
    targetSources: async () => ({}),
    startLocally: () => Promise.reject(new Error('a pipeline runs already')),
    post: createPost(fetch),
    // A command that would wait is ended; one that only looks whether it is to end goes on.
    beginWaiting: () => async (milliseconds) => milliseconds === 0,
    ...parts,
  });
  return { code, out: out.join(''), err: err.join('') };
}
