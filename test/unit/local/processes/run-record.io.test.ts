import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { endLeftovers, writeRunRecord } from '../../../../local/processes/run-record.ts';
import { until } from '../../../../tools/support/until.ts';
import { playAnotherUser } from '../../cli/support/other-user.ts';

const RUN = '5d1d0a53-5a1e-4c5f-9d6e-2f3a9a4b1c77';
const WAIT_FOREVER = 'setInterval(() => {}, 1000)';
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function startProcess(code: string, ...args: string[]): Promise<number> {
  const child = spawn(process.execPath, ['--eval', code, '--', ...args], { stdio: 'ignore' });
  started.push(child);
  await once(child, 'spawn');
  return child.pid ?? 0;
}

/** The id of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !hasEnded(pid);
}

/** A process that has ended keeps its id until its parent asks for the outcome. The first process, which gets orphans, may ask late. */
function hasEnded(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && /\) [ZX] /.test(readFileSync(file, 'utf8'));
}

function recordFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'run-record-')), 'processes.json');
}

describe('a leftover process', () => {
  it('is ended only if its command line contains the id of that run', async () => {
    const file = recordFile();
    const left = await startProcess(WAIT_FOREVER, `--run=${RUN}`);
    const other = await startProcess(WAIT_FOREVER, '--run=another');
    const processes = [
      { name: 'left', pid: left },
      { name: 'other', pid: other },
      { name: 'gone', pid: await deadPid() },
    ];
    writeRunRecord(file, { run: RUN, pid: await deadPid(), command: 'a run', processes });

    expect(await endLeftovers(file)).toEqual(['left']);

    await until('it has ended', () => !isRunning(left));
    expect(isRunning(other)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it('is not searched for while that run is alive', async () => {
    const file = recordFile();
    // The command of an app that init writes is sms, not start.ts.
    const alive = await startProcess(
      `import('${new URL('../../../../local/processes/run-record.ts', import.meta.url)}').then(({ RunningProcesses }) => {
        new RunningProcesses(process.argv.at(-1), '${RUN}', { watch: () => () => {} }).add('gateway', process.pid);
        ${WAIT_FOREVER};
      })`,
      file,
    );
    await until('it is recorded', () => existsSync(file));
    await expect(endLeftovers(file)).rejects.toThrow(`already running from this folder as process ${alive}`);
    expect(isRunning(alive)).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  it('is not searched for by a text that is in every command line', async () => {
    const file = recordFile();
    const other = await startProcess(WAIT_FOREVER);
    const processes = [{ name: 'other', pid: other }];
    writeRunRecord(file, { run: '', pid: await deadPid(), command: '', processes });
    expect(await endLeftovers(file)).toEqual([]);
    expect(isRunning(other)).toBe(true);
  });

  it('is not searched for in the record of another user', async () => {
    const file = recordFile();
    const left = await startProcess(WAIT_FOREVER, `--run=${RUN}`);
    const processes = [{ name: 'left', pid: left }];
    writeRunRecord(file, { run: RUN, pid: await deadPid(), command: 'a run', processes });
    playAnotherUser(file);
    expect(await endLeftovers(file)).toEqual([]);
    expect(isRunning(left)).toBe(true);
  });

  it('does not exist without a readable record', async () => {
    const file = recordFile();
    expect(await endLeftovers(file)).toEqual([]);
    writeFileSync(file, '{ "run": 1');
    expect(await endLeftovers(file)).toEqual([]);
  });
});

describe('the processes of a run', () => {
  /** Starts a reaper and a process under it, as a run does, and writes down their ids. */
  const RUN_SCRIPT = `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    import { startReaper } from '${new URL('../../../../local/processes/reaper.ts', import.meta.url)}';
    const reaper = startReaper('test', () => {});
    const child = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
    reaper.watch(child.pid);
    writeFileSync(process.env.PID_FILE, String(child.pid));
    setInterval(() => {}, 1000);
  `;

  it('end with it when it is killed, busy ones too', async () => {
    const pidFile = join(mkdtempSync(join(tmpdir(), 'reaper-')), 'pid');
    const run = spawn(process.execPath, ['--input-type=module', '--eval', RUN_SCRIPT], {
      stdio: 'ignore',
      env: { ...process.env, PID_FILE: pidFile },
    });
    started.push(run);
    const pid = Number(
      await until('the process runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8')),
    );
    expect(isRunning(pid)).toBe(true);
    run.kill('SIGKILL');
    await until('the process has ended', () => !isRunning(pid));
  });
});
