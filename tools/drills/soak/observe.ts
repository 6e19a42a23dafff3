import type { Sample } from './flatness.ts';
import type { Load } from './load.ts';
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

/** Watches a pipeline under load and prints a line every half minute; `stop` takes a last sample. */
export function observe(directory: string, load: Load) {
  const observations: Observations = { backlog: [], unpublished: [], memory: new Map() };
  const startedAt = performance.now();
  const storedBefore = load.stored();
  const before = { acknowledged: load.ledger.acknowledged, published: load.ledger.published };
  let last = { seconds: 0, acknowledged: before.acknowledged };
  const sample = async (isLast: boolean) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const { waiting, inFlight } = await load.backlog();
    observations.backlog.push({ seconds, value: waiting + inFlight });
    const unpublished = load.ledger.acknowledged - load.ledger.published;
    observations.unpublished.push({ seconds, value: unpublished });
    const memory = memoryByKind(directory);
    for (const [kind, values] of memory) {
      const row = observations.memory.get(kind) ?? [];
      observations.memory.set(kind, row);
      row.push({ ...values, seconds });
    }
    if (!isLast && seconds < last.seconds + lineEverySeconds - 1) return;
    const { acknowledged, published, otherAnswers } = load.ledger;
    const rate = (acknowledged - last.acknowledged) / (seconds - last.seconds);
    last = { seconds, acknowledged };
    const others = [...otherAnswers].map(([answer, times]) => `${times} x ${answer}`).join(', ') || 'none';
    console.log(
      [
        `${seconds.toFixed(0).padStart(5)} s  ${rate.toFixed(1)}/s`,
        `not 200: ${others}`,
        `backlog ${waiting} + ${inFlight} in flight`,
        `stored ${load.stored() - storedBefore}`,
        `published ${published - before.published}, ${unpublished} to come`,
        `MB: ${[...memory].map(describe).join(', ')}`,
      ].join('  '),
    );
  };
  let sampling = sample(false);
  const next = () => {
    sampling = sampling.then(() => sample(false)).catch((error) => console.error(`no sample: ${error}`));
  };
  const timer = setInterval(next, sampleEverySeconds * 1000);
  return {
    observations,
    stop: async () => {
      clearInterval(timer);
      await sampling;
      await sample(true);
      return (performance.now() - startedAt) / 1000;
    },
  };
}

function describe([kind, { processes, sum, max }]: readonly [string, KindMemory]): string {
  const size = sum.toFixed(0);
  return isFunction(kind) ? `${kind} ${size} (${processes}, max ${max.toFixed(0)})` : `${kind} ${size}`;
}
