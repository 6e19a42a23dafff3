import { describe, expect, it } from 'vitest';
import type { ColdFigures } from '../../../../../tools/bench/cold-start/cold-start.ts';
import {
  coldStartTargets,
  type Samples,
  summarize,
} from '../../../../../tools/bench/cold-start/cold-start-figures.ts';
import {
  renderColdStart,
  renderWarmRequests,
} from '../../../../../tools/bench/cold-start/cold-start-tables.ts';
import { variantNames } from '../../../../../tools/bench/cold-start/variants.ts';

const variants = variantNames.map((name, index) => ({ name, folder: '/nowhere', bytes: 1000 * (index + 1) }));

/** Processor time of each is twice the time. */
function took(initMs: number, firstResponseMs: number): ColdFigures {
  return { initMs, initCpuMs: 2 * initMs, firstResponseMs, firstCpuMs: 2 * firstResponseMs };
}

const warm = (...cpu: number[]) => cpu.map((warmCpuMs) => ({ warmMs: 1, warmCpuMs }));

/** One slow round must not count, nor one slow turn; of ingest and SendMessage the same one was. */
const samples: Samples = {
  cold: {
    'empty handler': [took(40, 2), took(41, 2), took(900, 90)],
    'HMAC only': [took(45, 3)],
    'SendMessage only': [took(60, 20)],
    ingest: [took(65, 900), took(61, 26), took(60, 20)],
    'ingest, not awaited': [took(50, 38)],
    'ingest, esbuild defaults': [took(91, 42)],
  },
  warm: {
    'empty handler': warm(0.1, 0.1, 9),
    'HMAC only': warm(0.2),
    'SendMessage only': warm(8.9, 0.4, 0.5),
    ingest: warm(9, 0.62, 0.6),
    'ingest, not awaited': warm(0.6),
    'ingest, esbuild defaults': warm(0.7),
  },
};
const rows = summarize(variants, samples);

describe('medians of a run', () => {
  it('are set above the empty handler and against the bundle of esbuild defaults', () => {
    const ingest = rows.find(({ name }) => name === 'ingest');
    expect(ingest?.median).toMatchObject({ initMs: 61, initCpuMs: 122, firstResponseMs: 26, firstCpuMs: 52 });
    expect(ingest?.aboveEmpty).toMatchObject({
      initMs: 20,
      initCpuMs: 40,
      firstResponseMs: 24,
      firstCpuMs: 48,
    });
    expect(ingest?.ofDefaults).toMatchObject({
      initMs: 0.4,
      initCpuMs: 0.4,
      firstResponseMs: 0.6,
      firstCpuMs: 0.6,
    });
    expect(ingest?.median.warmCpuMs).toBe(0.62);
  });

  it('are held against the targets, warm CPU by the differences in a turn', () => {
    expect(coldStartTargets(rows, samples).map(({ value, most }) => [value.toFixed(2), most])).toEqual([
      ['0.40', 0.45],
      ['0.60', 0.6],
      ['0.10', 0.1],
    ]);
    expect(() => coldStartTargets([], samples)).toThrow('no figures');
  });

  it('become a line a variant; what all others stand above has nothing to stand above', () => {
    const cells = (table: string, name: string) =>
      table
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.trim()
        .split(/ {2,}/);
    const starts = renderColdStart(rows);
    expect(cells(starts, 'empty handler')).toEqual(['empty handler', '1.0', '41.0', '82.0', '2.0', '4.0']);
    expect(cells(starts, 'ingest')?.slice(2)).toEqual([
      ...['61.0', '20.0', '0.40', '122.0', '40.0', '0.40'],
      ...['26.0', '24.0', '0.60', '52.0', '48.0', '0.60'],
    ]);
    const warmRequests = renderWarmRequests(rows);
    expect(cells(warmRequests, 'empty handler')).toEqual(['empty handler', '1.0', '1.000', '0.100']);
    expect(cells(warmRequests, 'ingest')?.slice(5)).toEqual(['0.620', '0.520', '0.87']);
  });
});
