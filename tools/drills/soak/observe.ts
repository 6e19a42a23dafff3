import type { Run } from '../../engine/run.ts';
import type { Sample } from './flatness.ts';
import { isFunction, type KindMemory, memoryByKind } from './memory.ts';

const sampleEverySeconds = 5;
const lineEverySeconds = 30;

/** The observations of a run, every five seconds. */
export interface Observations {
  /** Messages of the events queue. */
  readonly backlog: Sample[];
  /** Reports that are acknowledged and not on the bus yet. */
  readonly unpublished: Sample[];
  /** The memory of each kind of process. */
  readonly memory: Map<string, (KindMemory & { readonly seconds: number })[]>;
}

/** Watches a pipeline under load and prints a line every half minute; `stop` takes a last sample. @returns the seconds it took */
export function observe(run: Run) {
  const { ledger, published, pipeline } = run;
  const observations: Observations = { backlog: [], unpublished: [], memory: new Map() };
  const startedAt = performance.now();
  let last = { seconds: 0, acknowledged: ledger.acknowledged };
  const sample = async () => {
    const seconds = (performance.now() - startedAt) / 1000;
    const backlog = await run.backlog();
    await run.readBus();
    const unpublished = ledger.acknowledged - published.reports;
    const memory = memoryByKind(pipeline.directory);
    observations.backlog.push({ seconds, value: backlog });
    observations.unpublished.push({ seconds, value: unpublished });
    for (const [kind, values] of memory) {
      const row = observations.memory.get(kind) ?? [];
      observations.memory.set(kind, row);
      row.push({ ...values, seconds });
    }
    if (seconds < last.seconds + lineEverySeconds - 1) return;
    const rate = (ledger.acknowledged - last.acknowledged) / (seconds - last.seconds);
    last = { seconds, acknowledged: ledger.acknowledged };
    const columns = [
      `${seconds.toFixed(0).padStart(5)} s  ${rate.toFixed(1)}/s`,
      `backlog ${backlog}`,
      `${unpublished} to be published`,
      `MB: ${[...memory].map(describe).join(', ')}`,
    ];
    console.log(columns.join('  '));
  };
  let sampling = sample();
  const next = () => {
    sampling = sampling.then(sample).catch((error) => console.error(`no sample: ${error}`));
  };
  const timer = setInterval(next, sampleEverySeconds * 1000);
  return {
    observations,
    stop: async (): Promise<number> => {
      clearInterval(timer);
      await sampling;
      await sample();
      return (performance.now() - startedAt) / 1000;
    },
  };
}

function describe([kind, { processes, sum, max }]: readonly [string, KindMemory]): string {
  const size = sum.toFixed(0);
  return isFunction(kind) ? `${kind} ${size} (${processes}, max ${max.toFixed(0)})` : `${kind} ${size}`;
}
