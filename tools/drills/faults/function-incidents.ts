import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Incident } from '../../engine/incident.ts';
import { endsAtWork, killDuringInvocation, maxKills } from '../../engine/kills.ts';
import { signalProcess } from '../../engine/run.ts';
import { until } from '../../support/until.ts';
import { deployContract } from './new-contract.ts';
import type { Scene } from './scene.ts';

/** An incident that can happen to each of several functions. */
export interface FunctionIncident {
  readonly name: string;
  /** The labels of these functions. */
  readonly functions: readonly string[];
  /** {@link Incident.happen} for one of them. */
  happen(scene: Scene, cell: string, label: string, random: () => number): Promise<number>;
}

/** Returns an incident of one function. */
export function incidentOf({ name, happen }: FunctionIncident, label: string): Incident<Scene> {
  return {
    name: `${label} ${name}`,
    happen: (scene, { cell, random }) => happen(scene, cell, label, random),
  };
}

/** Sends what makes a function work. */
async function work(scene: Scene, cell: string, label: string): Promise<void> {
  if (label === 'opt-out') return scene.stop(cell);
  if (label === 'setup') {
    await scene.changeElsewhere();
    await scene.reconcile();
    return;
  }
  await Promise.all([1, 2, 3, 4].map(() => scene.report(cell)));
}

/** Makes a function work again and again until `happen` resolves. */
async function whileWorking(
  scene: Scene,
  cell: string,
  label: string,
  happen: () => Promise<void>,
): Promise<void> {
  let goesOn = true;
  const working = (async () => {
    for (; goesOn; await delay(200)) await work(scene, cell, label);
  })();
  // The failure is thrown at the end. This prevents an unhandled rejection until then.
  working.catch(() => {});
  try {
    await happen();
  } finally {
    goesOn = false;
    await working;
  }
}

/** Returns the processes of a function, after it has worked: before that it has none. */
async function processesOf(scene: Scene, cell: string, label: string): Promise<readonly number[]> {
  const pids = () => scene.pipeline.processes(label);
  await whileWorking(scene, cell, label, async () => {
    await until('it has a process', () => pids().length > 0, 60_000);
  });
  return pids();
}

async function recover(scene: Scene, cell: string, label: string): Promise<void> {
  if (label !== 'setup') return;
  await scene.reconcileUntilGood();
  await scene.reportByService(cell);
}

const killed: FunctionIncident = {
  name: 'killed at a random point',
  functions: ['ingest', 'worker', 'publisher', 'setup', 'opt-out'],
  async happen(scene, cell, label, random) {
    const before = endsAtWork(scene.pipeline, label).length;
    let times = 0;
    for (let round = 0; round < maxKills && times < 2; round++) {
      await whileWorking(scene, cell, label, async () => {
        await killDuringInvocation(scene, label, round, random);
      });
      await recover(scene, cell, label);
      times = endsAtWork(scene.pipeline, label).length - before;
    }
    return times;
  },
};

const memoryLimit: FunctionIncident = {
  name: 'memory limit hit',
  functions: ['worker', 'ingest'],
  async happen(scene, cell, label) {
    const pids = await processesOf(scene, cell, label);
    const gone = () => pids.filter((pid) => !scene.pipeline.processes(label).includes(pid)).length;
    const sent: Promise<void>[] = [];
    let times = 0;
    try {
      for (const pid of pids) await allowNoMoreMemory(pid);
      times = await until(
        'a process meets its limit',
        async () => {
          for (let times = 0; times < 3; times++) sent.push(scene.report(cell, 'x'.repeat(100_000)));
          await Promise.race([Promise.all(sent), delay(500)]);
          return gone() || undefined;
        },
        120_000,
      );
    } finally {
      // The other processes still have the limit, and would reach it in a later cell.
      await scene.kill(label);
      await Promise.allSettled(sent);
    }
    await Promise.all(sent);
    return times;
  },
};

const timeout: FunctionIncident = {
  name: 'timeout hit',
  functions: ['worker', 'ingest'],
  async happen(scene, cell, label) {
    const timeouts = () => scene.pipeline.functionLog(label).match(/Task timed out after/g)?.length ?? 0;
    const before = timeouts();
    const pids = await processesOf(scene, cell, label);
    let working: Promise<void> | undefined;
    try {
      for (const pid of pids) signalProcess(pid, 'SIGSTOP');
      working = work(scene, cell, label);
      working.catch(() => {});
      await until('a process is ended for taking too long', () => timeouts() > before, 60_000);
    } finally {
      // A process without an invocation has no timeout, and would stay stopped.
      await scene.kill(label);
      await working;
    }
    return timeouts() - before;
  },
};

const hourMs = 3_600_000;

const clockJumps: FunctionIncident = {
  name: 'clock jumps by an hour',
  functions: ['worker', 'publisher', 'opt-out', 'ingest'],
  async happen(scene, cell, label) {
    let jumps = 0;
    for (const clockOffsetMs of [hourMs, -hourMs]) {
      const refused = scene.ledger.answers.get(401) ?? 0;
      const logged = scene.pipeline.functionLog(label).length;
      const { invocations: started } = await scene.faults.functionCounts(label);
      await scene.faults.setFunctions({ [label]: { clockOffsetMs } });
      const working = work(scene, cell, label);
      working.catch(() => {});
      try {
        // The signatures are outside of the replay window, so requests are rejected. The sender retries them until the clock is right.
        if (label === 'ingest')
          await until('requests are refused', () => (scene.ledger.answers.get(401) ?? 0) > refused, 60_000);
        else await working;
        const invocations = async () => (await scene.faults.functionCounts(label)).invocations;
        // The wrong clock may delay the redelivery of failed messages by up to an hour. `judge` checks them at the end of the drill.
        await until('it is started', async () => (await invocations()) > started, 60_000);
        if (label === 'worker' || label === 'publisher') await scene.untilHandled(cell);
        const log = () => scene.pipeline.functionLog(label).slice(logged);
        // An automation writes no log line and no metric if it succeeds.
        if (label === 'worker' || label === 'publisher')
          await until('its log has the wrong time', () => isLoggedAt(log(), Date.now() + clockOffsetMs));
        jumps += 1;
      } finally {
        await scene.faults.setFunctions({});
        await working;
      }
    }
    return jumps;
  },
};

/** Returns whether a log has a line or a metric with a time within ten minutes of this one. */
function isLoggedAt(log: string, time: number): boolean {
  const lines = log.matchAll(/"timestamp":"([^"]+)"/g).map(([, text]) => Date.parse(text ?? ''));
  const metrics = log.matchAll(/"Timestamp":(\d+)/g).map(([, text]) => Number(text));
  return [...lines, ...metrics].some((at) => Math.abs(at - time) < 600_000);
}

const invokedTwice: FunctionIncident = {
  name: 'every batch invoked twice',
  functions: ['worker', 'publisher', 'opt-out'],
  async happen(scene, cell, label) {
    const before = (await scene.faults.functionCounts(label)).doubled;
    await scene.faults.setFunctions({ [label]: { invokeTwice: true } });
    try {
      for (let round = 0; round < 3; round++) await work(scene, cell, label);
      await scene.stop(cell);
      await scene.untilHandled(cell);
    } finally {
      await scene.faults.setFunctions({});
    }
    return (await scene.faults.functionCounts(label)).doubled - before;
  },
};

const newContract: FunctionIncident = {
  name: 'a new contract is deployed',
  functions: ['ingest, worker and setup'],
  async happen(scene, cell, label) {
    await whileWorking(scene, cell, label, () =>
      deployContract(scene, (contract) => ({
        ...contract,
        statuses: { ...contract.statuses, handed_over: 'sent' },
      })),
    );
    // Only the new contract maps this word to a status. `judge` finds that status in the history at the end of the drill.
    await scene.reportWord(cell, 'handed_over', 'sent');
    return 1;
  },
};

/** The incidents of processes, clocks and code. */
export const functionIncidents: readonly FunctionIncident[] = [
  killed,
  memoryLimit,
  timeout,
  clockJumps,
  invokedTwice,
  newContract,
];

/** Limits a process to the memory that it has now. Linux only. */
async function allowNoMoreMemory(pid: number): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmSize:\s+(\d+) kB$/m.exec(status)?.[1]);
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--as=${kilobytes * 1024}`]);
}
