import { describe, expect, it } from 'vitest';
import {
  coldStartTargets,
  renderColdStart,
  type Samples,
  summarize,
} from '../../../bench/cold-start/cold-start-figures.ts';
import type { ProcessFigures } from '../../../bench/cold-start/measure-process.ts';
import { variantNames } from '../../../bench/cold-start/variants.ts';

const variants = variantNames.map((name, index) => ({ name, folder: '/nowhere', bytes: 1000 * (index + 1) }));

function took(initMs: number, firstResponseMs: number, warmCpuMs: number): ProcessFigures {
  return { initMs, firstResponseMs, warmMs: 1, warmCpuMs };
}

/** One slow round must not count; of ingest and SendMessage the same one was. */
const samples: Samples = {
  'empty handler': [took(40, 2, 0.1), took(41, 2, 0.1), took(900, 90, 9)],
  'HMAC only': [took(45, 3, 0.2)],
  'SendMessage only': [took(60, 20, 8.9), took(60, 20, 0.4), took(60, 20, 0.5)],
  ingest: [took(65, 900, 9), took(61, 26, 0.62), took(60, 20, 0.6)],
  'ingest, esbuild defaults': [took(91, 42, 0.7)],
};
const rows = summarize(variants, samples);

describe('medians of a run', () => {
  it('are set above the empty handler and against the bundle of esbuild defaults', () => {
    const ingest = rows.find(({ name }) => name === 'ingest');
    expect(ingest?.median).toMatchObject({ initMs: 61, firstResponseMs: 26 });
    expect(ingest?.aboveEmpty).toMatchObject({ initMs: 20, firstResponseMs: 24 });
    expect(ingest?.ofDefaults).toMatchObject({ initMs: 0.4, firstResponseMs: 0.6 });
  });

  it('are held against the targets, warm CPU by the differences of rounds', () => {
    expect(coldStartTargets(rows, samples).map(({ value, most }) => [value.toFixed(2), most])).toEqual([
      ['0.40', 0.45],
      ['0.60', 0.6],
      ['0.10', 0.1],
    ]);
    expect(() => coldStartTargets([], samples)).toThrow('no figures');
  });

  it('become a line a variant; what all others stand above has nothing to stand above', () => {
    const lines = renderColdStart(rows).split('\n');
    expect(lines[1]?.trim().split(/ {2,}/)).toEqual([
      'empty handler',
      '1.0',
      '41.0',
      '2.0',
      '1.000',
      '0.100',
    ]);
    expect(lines.find((line) => line.startsWith('ingest '))).toMatch(
      / 61\.0 +20\.0 +0\.40 +26\.0 +24\.0 +0\.60 /,
    );
  });
});
