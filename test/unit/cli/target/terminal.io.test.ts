import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');
const terminal = pathToFileURL(resolve(root, 'cli/target/terminal.ts')).href;

/** A process that writes until its output is closed. */
const endless = `
import { setImmediate } from 'node:timers/promises';
const { processTerminal } = await import(process.argv[1]);
const terminal = processTerminal();
while (!terminal.closed()) {
  terminal.out('line\\n');
  await setImmediate();
}
terminal.err('closed');
`;

describe('the output of the process', () => {
  it('reports a closed pipe without a failure', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', endless, terminal], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const said = textOf(child);
    const [code] = await once(child, 'close');
    expect([code, said()]).toEqual([0, 'closed']);
  });

  it('fails in one line with exit code 1 when it cannot be written', () => {
    const unwritable = openSync(import.meta.filename, 'r');
    const { status, stderr } = spawnSync(process.execPath, ['bin/sms.ts', '--help'], {
      cwd: root,
      stdio: ['ignore', unwritable, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(unwritable);
    expect([status, stderr]).toEqual([1, 'error: The output cannot be written (EBADF).\n']);
  });
});

describe('colour', () => {
  const colour = `
import { WriteStream } from 'node:tty';
const { processTerminal } = await import(process.argv[1]);
process.stdout.isTTY = process.argv[2] === 'terminal';
process.stdout.getColorDepth = WriteStream.prototype.getColorDepth;
process.stdout.write(String(processTerminal().colour));
`;

  it.each([
    ['terminal', { TERM: 'xterm' }, true],
    ['terminal', { TERM: 'xterm', NO_COLOR: '1' }, false],
    ['terminal', { TERM: 'xterm', NODE_DISABLE_COLORS: '1' }, false],
    ['pipe', { TERM: 'xterm' }, false],
    ['pipe', { TERM: 'xterm', FORCE_COLOR: '1' }, true],
    ['pipe', { TERM: 'xterm', FORCE_COLOR: '0' }, false],
  ])('of a %s with %j: %s', (kind, variables, expected) => {
    // Only these variables: Node also looks at CI, TMUX and others.
    const { stdout } = spawnSync(
      process.execPath,
      ['--input-type=module', '--no-warnings', '-e', colour, terminal, kind],
      { encoding: 'utf8', env: variables },
    );
    expect(stdout).toBe(String(expected));
  });
});

function textOf({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

it('lets a terminal obey nothing in what a command forgot to clean', () => {
  const shown = (place: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { processTerminal } = await import(process.argv[1]);
process.stdout.isTTY = process.argv[2] === 'terminal';
const { out, err } = processTerminal();
for (const write of [out, err]) write('\\x1b[31ma\\x1b]0;b\\x07\\x1b[2Jc');`,
        terminal,
        place,
      ],
      { encoding: 'utf8' },
    );
  const clean = '\x1b[31mac';
  expect(shown('terminal')).toMatchObject({ stdout: clean, stderr: clean });
  // A pipe may carry an export with any character.
  expect(shown('pipe')).toMatchObject({ stdout: '\x1b[31ma\x1b]0;b\x07\x1b[2Jc', stderr: clean });
});
