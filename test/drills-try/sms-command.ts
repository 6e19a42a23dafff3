import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createConnect } from '../../cli/connection.ts';
import { post } from '../../cli/post.ts';
import { type ExitCode, runCommand } from '../../cli/program.ts';

const projectDirectory = resolve(import.meta.dirname, '../..');

export interface CommandOutcome {
  readonly code: ExitCode;
  /** Both streams. */
  readonly output: string;
}

/** Runs the command-line tool in this process, against the pipeline whose outputs are in a folder. */
export async function smsCommand(directory: string, args: readonly string[]): Promise<CommandOutcome> {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const code = await runCommand([...args, '--dir', directory], {
    terminal: { out: write, err: write, colour: false, columns: undefined, zone: 'UTC', debug: false },
    clock: Date.now,
    newId: randomUUID,
    connect: createConnect(projectDirectory),
    post,
  });
  return { code, output };
}
