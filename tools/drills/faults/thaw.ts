import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionFate } from '../../engine/fault-control.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { signalProcess } from '../../engine/run.ts';
import { until } from '../../support/until.ts';
import type { FunctionIncident } from './function-incidents.ts';
import type { Scene } from './scene.ts';

/** The stimulus that makes a function use many connections at once, and the log codes that must not follow. */
interface Exercise {
  /** Lets the function work; resolves when all of that is done. */
  work(scene: Scene, cell: string): Promise<void>;
  /** Code of the line by which the function logs that something has to be tried again; undefined if its caller hears of it. */
  readonly failureCode?: string;
}

/** More than the worker writes at once. */
const messages = 60;

/** As many events as the function forwards at once. */
const forwarded = 10;

const exercises: Readonly<Record<string, Exercise>> = {
  ingest: {
    async work(scene, cell) {
      // A parked request sends to two queues at once.
      await Promise.all([...times(4, () => scene.report(cell)), ...times(4, () => scene.forge(cell))]);
    },
  },
  worker: {
    async work(scene, cell) {
      await scene.reportMany(cell, messages);
      await scene.untilHandled(cell);
    },
    failureCode: 'WORKER-04',
  },
  query: {
    async work(scene, cell) {
      await Promise.all([scene.report(cell), ...times(8, () => scene.ask())]);
    },
  },
  forward: {
    async work(scene, cell) {
      await scene.report(cell);
      const ids = await scene.forward(forwarded);
      const areAccepted = () => ids.every((id) => scene.receiver.accepted.has(id));
      await until('the receiver has the events', areAccepted, 60_000);
    },
    failureCode: 'AUTOMATION-01',
  },
};

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/** How the connections of a frozen function end, and how long it is frozen, in milliseconds. */
interface Freeze {
  readonly how: string;
  readonly fate: ConnectionFate;
  readonly frozenMs: number;
}

/** Longer than the functions keep an idle connection. */
const longMs = 11_000;

const freezes: readonly Freeze[] = [
  { how: 'connections closed', fate: 'close', frozenMs: longMs },
  { how: 'connections reset', fate: 'reset', frozenMs: longMs },
  { how: 'connections reset after a moment', fate: 'reset', frozenMs: 500 },
  { how: 'connections lost', fate: 'lose', frozenMs: longMs },
];

/**
 * Lambda freezes a function's process between two invocations, and thaws it with the next one. What was closed meanwhile it has not
 * noticed by then. Broken is a cell where a sender, a question or a queue message had to try again.
 */
export const thaws: readonly FunctionIncident[] = freezes.map(({ how, fate, frozenMs }) => ({
  name: `frozen and thawed, ${how}`,
  functions: Object.keys(exercises),
  async happen(scene, cell, label) {
    const { work, failureCode } = exercises[label] ?? never(label);
    const { faults, pipeline, receiver, ledger } = scene;
    if (label === 'worker') await untilNothingIsParked(scene);
    await work(scene, cell);
    const counts = () => faults.functionCounts(label);
    await until('it is idle', async () => (await counts()).running === 0, 60_000);

    const before = await counts();
    const logged = pipeline.functionLog(label).length;
    const refusals = refused(ledger);
    const lost = receiver.requestsLost;
    const pids = pipeline.processes(label);
    for (const pid of pids) signalProcess(pid, 'SIGSTOP');
    let working: Promise<void> | undefined;
    let ended = 0;
    try {
      await delay(frozenMs);
      working = work(scene, cell);
      working.catch(() => {});
      await until('it is invoked', async () => (await counts()).running > 0, 60_000);
      // Last, so that the process reads of its invocation before it reads that connections were closed.
      await faults.endConnections(label, fate);
      ended = (await faults.endedConnections()).hit;
      if (label === 'forward') ended += receiver.endConnections(fate);
    } finally {
      for (const pid of pids) signalProcess(pid, 'SIGCONT');
      await working?.catch(() => {});
    }
    await working;

    const late = refused(ledger) - refusals;
    if (late > 0) throw new Error(`${late} requests were not acknowledged at once`);
    const failures = (await counts()).errors - before.errors;
    if (failures > 0) throw new Error(`${failures} invocations failed`);
    if (failureCode !== undefined && pipeline.functionLog(label).slice(logged).includes(failureCode))
      throw new Error(`it logged ${failureCode}: something has to be tried again`);
    const requestsLost = (await faults.endedConnections()).requestsLost + receiver.requestsLost - lost;
    // After a moment it uses them, and has to make up for it.
    if (frozenMs === longMs && requestsLost > 0)
      throw new Error(`${requestsLost} requests were sent on connections that had ended`);
    return ended;
  },
}));

/**
 * Waits until no parked request of an earlier cell is left: the frozen worker would get it and run into its timeout. The worker rejects
 * a forged one only after the service was asked for its secret again.
 */
async function untilNothingIsParked(scene: Scene): Promise<void> {
  await until(
    'no parked request is left',
    async () => {
      if ((await scene.backlog()) === 0) return true;
      await scene.reconcile();
      await delay(5_000);
      return false;
    },
    300_000,
  );
}

function refused({ answers, forgedAnswers }: Ledger): number {
  const all = [...answers, ...forgedAnswers].filter(([result]) => result !== 200);
  return all.reduce((sum, [, count]) => sum + count, 0);
}

function never(label: string): never {
  throw new Error(`no exercise for ${label}`);
}
