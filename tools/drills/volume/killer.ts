import type { LocalBus } from '../../support/local-bus.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { until } from '../../support/until.ts';

/** Kills processes of functions while they are at work, each but once. */
export interface Killer {
  readonly killed: ReadonlySet<number>;
  worker(): Promise<void>;
  publisher(): Promise<void>;
}

export function createKiller(pipeline: LocalPipeline, bus: LocalBus): Killer {
  const killed = new Set<number>();
  const alive = (part: string) => pipeline.processes(part).find((pid) => !killed.has(pid));
  const kill = (pid: number) => {
    process.kill(pid, 'SIGKILL');
    killed.add(pid);
  };
  return {
    killed,
    async worker() {
      const pid = await until('a worker in the middle of a batch', async () => {
        const { inFlight } = await pipeline.queueDepth(pipeline.outputs.EventsQueueUrl);
        return inFlight > 0 && alive('worker');
      });
      kill(pid);
    },
    async publisher() {
      const { asked } = await bus.counts();
      const pid = await until('a publisher in the middle of a batch', async () => {
        const now = await bus.counts();
        return now.asked !== asked && alive('publisher');
      });
      kill(pid);
    },
  };
}
