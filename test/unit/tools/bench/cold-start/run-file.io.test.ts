import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { figuresOf, summarize } from '../../../../../tools/bench/cold-start/cold-start-figures.ts';
import { compareRuns, readRun, runOf, saveRun } from '../../../../../tools/bench/cold-start/run-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A run of ten rounds on a machine of some speed, whose ratios are near one value. */
function run(ratio: number, msOfMachine: number) {
  const rounds = (value: number) =>
    figuresOf(() => Array.from({ length: 10 }, (_, round) => msOfMachine * (1 + value + round / 1000)));
  return runOf(
    summarize(
      new Map([
        ['empty handler', figuresOf(() => Array.from({ length: 10 }, () => msOfMachine))],
        ['ingest', rounds(ratio)],
        ['ingest, not awaited', rounds(0.5)],
        ['ingest, esbuild defaults', figuresOf(() => Array.from({ length: 10 }, () => 2 * msOfMachine))],
      ]),
    ),
  );
}

it.each([
  ['slower', 0.6, true],
  ['no difference seen', 0.5, false],
  ['faster', 0.4, false],
])('a stored run shows on another machine what became %s', (verdict, ratio, isSlower) => {
  const file = join(folder, 'run.json');
  saveRun(file, run(0.5, 40));
  const comparison = compareRuns(run(ratio, 7), readRun(file));
  expect(comparison.isSlower).toBe(isSlower);
  const verdicts = comparison.text.split('\n').map((line) => line.split(/ {2,}/).at(-1));
  expect(verdicts.slice(1, 5)).toEqual([verdict, verdict, verdict, verdict]);
  expect(new Set(verdicts.slice(5))).toEqual(new Set(['no difference seen']));
});

it('a file that is not a run is named', () => {
  const file = join(folder, 'other.json');
  expect(() => readRun(file)).toThrow(`--against: ${file} is not a run`);
  writeFileSync(file, '{"version":2}');
  expect(() => readRun(file)).toThrow(`--against: ${file} is not a run`);
});
