import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { OptionError } from '../../support/run-script.ts';
import { estimateMedian, estimateQuotient } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import { renderEstimate, type Summary } from './cold-start-figures.ts';
import { deployed, notAwaited } from './variants.ts';

const variants = [deployed, notAwaited] as const;
/** Processor times, because the processor time of a process depends less on other load than its duration. */
const figures = ['initCpuMs', 'firstCpuMs', 'coldCpuMs', 'warmCpuMs'] as const;

const runSchema = z.object({
  version: z.literal(1),
  /** The version of Node.js. */
  node: z.string(),
  ratios: z.record(z.enum(variants), z.record(z.enum(figures), z.array(z.number()))),
});

/** The ratios of each round of a run. They do not depend on how fast the machine is. */
export type Run = z.infer<typeof runSchema>;

export function runOf(summary: Summary): Run {
  const pick = (name: (typeof variants)[number]) => {
    const { initCpuMs, firstCpuMs, coldCpuMs, warmCpuMs } = summary.ratios(name);
    return { initCpuMs, firstCpuMs, coldCpuMs, warmCpuMs };
  };
  return {
    version: 1,
    node: process.version,
    ratios: { [deployed]: pick(deployed), [notAwaited]: pick(notAwaited) },
  };
}

export function saveRun(file: string, run: Run): void {
  writeFileSync(file, `${JSON.stringify(run)}\n`);
}

/** @throws OptionError where the file is not a saved run */
export function readRun(file: string): Run {
  try {
    return runSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new OptionError(`--against: ${file} is not a run that "npm run bench -- --save <file>" wrote`);
  }
}

/** How a run compares with an earlier one. */
interface Comparison {
  /** Whether a figure is larger, by an interval that does not reach 1. */
  readonly isSlower: boolean;
  readonly text: string;
}

export function compareRuns(now: Run, before: Run): Comparison {
  const rows = variants.flatMap((name) =>
    figures.map((figure) => {
      const [values, others] = [now.ratios[name][figure], before.ratios[name][figure]];
      const factor = estimateQuotient(values, others);
      const verdict = factor.low > 1 ? 'slower' : factor.high < 1 ? 'faster' : 'no difference seen';
      const [then, today] = [others, values].map((ratios) => renderEstimate(estimateMedian(ratios)));
      return {
        verdict,
        cells: [
          `${name}, ${figure.replace('CpuMs', ' CPU')}`,
          then ?? '',
          today ?? '',
          renderEstimate(factor),
          verdict,
        ],
      };
    }),
  );
  const head = ['ratio', `then, Node.js ${before.node}`, 'now', 'factor', ''];
  return {
    isSlower: rows.some(({ verdict }) => verdict === 'slower'),
    text: renderTable([head, ...rows.map(({ cells }) => cells)]),
  };
}
