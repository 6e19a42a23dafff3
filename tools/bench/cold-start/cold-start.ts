import { type ProcessSettings, startProcess } from './start-process.ts';
import { type ByVariant, byVariant, type Variant } from './variants.ts';

/** All of them, beginning with another one each turn, so that what else the machine does meets them all alike. */
export function inTurn<T>(all: readonly T[], turn: number): T[] {
  const first = turn % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

/** The times of the start of one process, and of its first request. */
export interface ColdFigures {
  /** From spawning the process until it asked for its first event. */
  readonly initMs: number;
  /** Processor time until then, all threads. */
  readonly initCpuMs: number;
  /** From giving it its first event until its answer was there. */
  readonly firstResponseMs: number;
  /** Processor time from then until it asked for the next event, all threads. */
  readonly firstCpuMs: number;
}

export interface ColdStartSettings {
  readonly rounds: number;
  /** The environment of a variant's processes. */
  readonly settingsOf: (variant: Variant) => ProcessSettings;
  readonly note: (line: string) => void;
}

/** Starts each variant once a round and sends it one request, in a process of its own: a figure a round. */
export async function measureColdStarts(
  variants: readonly Variant[],
  { rounds, settingsOf, note }: ColdStartSettings,
): Promise<ByVariant<readonly ColdFigures[]>> {
  const samples = byVariant((): ColdFigures[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const variant of inTurn(variants, round)) {
      const figures = await coldFiguresOf(variant, settingsOf(variant));
      // The first round brings the files into the system's cache.
      if (round > 0) samples[variant.name].push(figures);
    }
    note(round === 0 ? 'a round to warm the machine up is over' : `start ${round} of ${rounds} is over`);
  }
  return samples;
}

async function coldFiguresOf(variant: Variant, settings: ProcessSettings): Promise<ColdFigures> {
  const { initMs, initCpuMs, run, stop } = await startProcess(variant, settings);
  try {
    const { ms, cpuMs } = await run(1);
    return { initMs, initCpuMs, firstResponseMs: ms[0] ?? Number.NaN, firstCpuMs: cpuMs };
  } finally {
    await stop();
  }
}
