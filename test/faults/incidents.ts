import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../support/until.ts';
import { deployContract } from './deploy-contract.ts';
import { endProcess, type Scene } from './scene.ts';

/** Something that happens to the functions themselves. */
export interface Incident {
  readonly name: string;
  /** The functions it happens to, by label. */
  readonly functions: readonly string[];
  /**
   * Lets it happen to one of them; resolves when all that was sent meanwhile is acknowledged.
   *
   * @returns how often it happened
   * @throws Error where it did not
   */
  happen(scene: Scene, cell: string, label: string, random: () => number): Promise<number>;
}

/** What makes a function work. */
async function work(scene: Scene, cell: string, label: string): Promise<void> {
  if (label === 'opt-out') return scene.stop(cell);
  if (label === 'setup') {
    await scene.changeElsewhere();
    await scene.reconcile();
    return;
  }
  await Promise.all([1, 2, 3, 4].map(() => scene.report(cell)));
}

async function recover(scene: Scene, cell: string, label: string): Promise<void> {
  if (label !== 'setup') return;
  await scene.reconcileUntilGood();
  await scene.reportByService(cell);
}

const killed: Incident = {
  name: 'killed at a random point',
  functions: ['ingest', 'worker', 'publisher', 'setup', 'opt-out'],
  async happen(scene, cell, label, random) {
    let times = 0;
    for (let round = 0; round < 3; round++) {
      const working = work(scene, cell, label);
      working.catch(() => {});
      await delay(Math.floor(random() * 500));
      times += await scene.kill(label);
      await recover(scene, cell, label);
      await working;
    }
    if (times === 0) throw new Error('no process was there to be killed');
    return times;
  },
};

const memoryLimit: Incident = {
  name: 'memory limit hit',
  functions: ['worker', 'ingest'],
  async happen(scene, cell, label) {
    const pids = scene.pipeline.processes(label);
    for (const pid of pids) await allowNoMoreMemory(pid);
    const sent: Promise<void>[] = [];
    await until('a process meets its limit', async () => {
      sent.push(scene.report(cell, 'x'.repeat(100_000)));
      await Promise.race([Promise.all(sent), delay(500)]);
      return !pids.every((pid) => scene.pipeline.processes(label).includes(pid));
    });
    const gone = pids.filter((pid) => !scene.pipeline.processes(label).includes(pid)).length;
    // The others would meet theirs at some time, too.
    await scene.kill(label);
    await Promise.all(sent);
    return gone;
  },
};

const timeout: Incident = {
  name: 'timeout hit',
  functions: ['worker', 'ingest'],
  async happen(scene, cell, label) {
    const pids = scene.pipeline.processes(label);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const working = work(scene, cell, label);
    working.catch(() => {});
    const gone = await until(
      'a process is ended for taking too long',
      () => pids.filter((pid) => !scene.pipeline.processes(label).includes(pid)).length || undefined,
      60_000,
    );
    // Those that nothing was given to stand still for ever.
    pids.forEach(endProcess);
    await working;
    return gone;
  },
};

const hourMs = 3_600_000;

const clockJumps: Incident = {
  name: 'clock jumps by an hour',
  functions: ['worker', 'publisher', 'opt-out', 'ingest'],
  async happen(scene, cell, label) {
    for (const clockOffsetMs of [hourMs, -hourMs]) {
      const before = scene.sender.refusals.get(401) ?? 0;
      await scene.faults.setFunctions({ [label]: { clockOffsetMs } });
      const working = work(scene, cell, label);
      working.catch(() => {});
      // Outside the window of the signature: refused, and sent again until the clock is right.
      if (label === 'ingest')
        await until('requests are refused', () => (scene.sender.refusals.get(401) ?? 0) > before);
      else await working.then(() => scene.untilHandled(cell));
      await scene.faults.setFunctions({});
      await working;
    }
    return 2;
  },
};

const invokedTwice: Incident = {
  name: 'every batch invoked twice',
  functions: ['worker', 'publisher', 'opt-out'],
  async happen(scene, cell, label) {
    await scene.faults.setFunctions({ [label]: { invokeTwice: true } });
    for (let round = 0; round < 3; round++) await work(scene, cell, label);
    await scene.untilHandled(cell);
    await scene.faults.setFunctions({});
    return 3;
  },
};

const newContract: Incident = {
  name: 'a new contract is deployed',
  functions: ['ingest, worker and setup'],
  async happen(scene, cell) {
    const streaming = new AbortController();
    const stream = (async () => {
      while (!streaming.signal.aborted) await scene.report(cell);
    })();
    stream.catch(() => {});
    await deployContract(scene.pipeline, (contract) => ({
      ...contract,
      statuses: { ...contract.statuses, handed_over: 'sent' },
    }));
    streaming.abort();
    await stream;
    await scene.reportWord(cell, 'handed_over', 'sent');
    return 1;
  },
};

export const incidents: readonly Incident[] = [
  killed,
  memoryLimit,
  timeout,
  clockJumps,
  invokedTwice,
  newContract,
];

/** Lets a process have no more memory than it has now (Linux). */
async function allowNoMoreMemory(pid: number): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmSize:\s+(\d+) kB$/m.exec(status)?.[1]);
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--as=${kilobytes * 1024}`]);
}
