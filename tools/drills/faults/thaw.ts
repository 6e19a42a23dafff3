import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionFate } from '../../engine/fault-control.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { signalProcess } from '../../engine/run.ts';
import { until } from '../../support/until.ts';
import type { FunctionIncident } from './function-incidents.ts';
import type { Scene } from './scene.ts';

/** How a function is made to use many connections at once, and the log code that it must not write meanwhile. */
interface Exercise {
  /** Makes the function work, and resolves when it has finished. */
  work(scene: Scene, cell: string): Promise<void>;
  /** The code with which the function logs that a retry is needed. Undefined if its caller receives an error instead. */
  readonly failureCode?: string;
}

/** More messages than the worker writes at once. */
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

/** For longer than this, functions do not reuse an idle connection. */
const longMs = 11_000;

const freezes: readonly Freeze[] = [
  { how: 'connections closed', fate: 'close', frozenMs: longMs },
  { how: 'connections reset', fate: 'reset', frozenMs: longMs },
  { how: 'connections reset after a moment', fate: 'reset', frozenMs: 500 },
  { how: 'connections lost', fate: 'lose', frozenMs: longMs },
];

/**
 * Lambda freezes a function's process between two invocations, and thaws it for the next one. The process has not noticed that connections
 * were closed meanwhile. A cell fails if a request, a query or a queue message needed a retry.
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
      // This is the last step, so that the process reads its invocation before it reads that connections were closed.
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
      throw new Error(`it logged ${failureCode}: a retry was needed`);
    const requestsLost = (await faults.endedConnections()).requestsLost + receiver.requestsLost - lost;
    // After a short freeze the function uses its connections, and retries requests on those that have ended.
    if (frozenMs === longMs && requestsLost > 0)
      throw new Error(`${requestsLost} requests were sent on connections that had ended`);
    return ended;
  },
}));

/**
 * Waits until no parked request of an earlier cell is left. The frozen worker would receive it, and exceed its timeout. The worker rejects a
 * forged request only after setup has read the secret of the service again.
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
