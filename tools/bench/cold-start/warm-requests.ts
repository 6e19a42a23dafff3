import { median } from '../../support/statistics.ts';
import { inTurn } from './cold-start.ts';
import { type ProcessSettings, startProcess, type VariantProcess } from './start-process.ts';
import { type ByVariant, byVariant, type Variant } from './variants.ts';

/** The times of consecutive requests in a warm process. */
export interface WarmFigures {
  /** From giving an event until its answer was there: the median. */
  readonly warmMs: number;
  /** Processor time of a request, all threads: the mean. */
  readonly warmCpuMs: number;
}

export interface WarmSettings {
  readonly rounds: number;
  /** Requests of a process before those that are measured. */
  readonly warmUp: number;
  readonly requests: number;
  /** The environment of a variant's processes. */
  readonly settingsOf: (variant: Variant) => ProcessSettings;
  readonly note: (line: string) => void;
}

/** So few that what the machine does changes little meanwhile. */
const requestsOnEnd = 100;

/**
 * Starts a process of each variant a round and sends each a few requests in turn, again and again: a figure a turn, in the same
 * order for all variants, so that those of one turn can be compared.
 */
export async function measureWarmRequests(
  variants: readonly Variant[],
  { rounds, warmUp, requests, settingsOf, note }: WarmSettings,
): Promise<ByVariant<readonly WarmFigures[]>> {
  const samples = byVariant((): WarmFigures[] => []);
  for (let round = 1; round <= rounds; round++) {
    const processes: { readonly variant: Variant; readonly process: VariantProcess }[] = [];
    try {
      for (const variant of variants)
        processes.push({ variant, process: await startProcess(variant, settingsOf(variant)) });
      for (const [turn, { count, isWarm }] of turnsOf(warmUp, requests).entries()) {
        for (const { variant, process } of inTurn(processes, turn)) {
          const { ms, cpuMs } = await process.run(count);
          if (isWarm) samples[variant.name].push({ warmMs: median(ms), warmCpuMs: cpuMs / count });
        }
      }
    } finally {
      await Promise.all(processes.map(({ process }) => process.stop()));
    }
    note(`warm round ${round} of ${rounds} is over`);
  }
  return samples;
}

interface Turn {
  readonly count: number;
  readonly isWarm: boolean;
}

/** How many requests each turn has: those to warm up, then those that are measured. */
export function turnsOf(warmUp: number, requests: number): Turn[] {
  const cut = (all: number) =>
    Array.from({ length: Math.ceil(all / requestsOnEnd) }, (_, turn) =>
      Math.min(requestsOnEnd, all - turn * requestsOnEnd),
    );
  return [
    ...cut(warmUp).map((count) => ({ count, isWarm: false })),
    ...cut(requests).map((count) => ({ count, isWarm: true })),
  ];
}
