/**
 * `npm run bench -- [--rounds N] [--part cold-start|work] [--save FILE] [--against FILE]`: how fast the functions start and what they cost
 * warm, against baselines; prints tables and whether the targets were reached, and what that would be on Lambda by a function's memory.
 * `--save` writes the ratios of the starts to a file, `--against` compares them with such a file. About fifteen minutes.
 * Starting takes Linux: Lambda's runtime client is built once, into node_modules/.cache. Exit code 1: a target was missed, or a start
 * became slower than in the file; 2: it failed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oneOf, runScript, wholeNumber } from '../support/run-script.ts';
import { coldStartTargets, renderFigures, summarize } from './cold-start/cold-start-figures.ts';
import { installRuntime } from './cold-start/install-runtime.ts';
import { measureVariants } from './cold-start/measure-variants.ts';
import { renderMemory } from './cold-start/memory-sizes.ts';
import { compareRuns, type Run, readRun, runOf, saveRun } from './cold-start/run-file.ts';
import { type Bundles, buildBundles, deployed, esbuildDefaults } from './cold-start/variants.ts';
import { isReached, renderTargets, type Target } from './targets.ts';
import { measureWork, renderWork, workTargets } from './work/measure-work.ts';

const root = resolve(import.meta.dirname, '../..');
const eventsOfShape = 3000;

interface StoredRuns {
  /** Receives the ratios of this run. */
  readonly save: string | undefined;
  /** The run to compare with. */
  readonly against: Run | undefined;
}

async function coldStart(
  { variants }: Bundles,
  rounds: number,
  folder: string,
  { save, against }: StoredRuns,
): Promise<{ targets: Target[]; isSlower: boolean }> {
  const runtime = await installRuntime(join(root, 'node_modules/.cache/lambda-runtime'));
  const warmRounds = Math.ceil(rounds / 3);
  const samples = await measureVariants(variants, { runtime, folder, rounds, warmRounds });
  const summary = summarize(samples);
  console.log(`\nEach in a process of its own through aws-lambda-ric: ${rounds} interleaved rounds,`);
  console.log(`${warmRounds} where warm\n\n${renderFigures(variants, summary)}`);
  console.log('\nEstimated, not measured: ingest on Lambda by its memory, beside esbuild defaults');
  console.log(renderMemory(summary.median(deployed), summary.median(esbuildDefaults)));
  const run = runOf(summary);
  if (save !== undefined) saveRun(save, run);
  const comparison = against && compareRuns(run, against);
  if (comparison !== undefined) console.log(`\nCompared with the stored run\n${comparison.text}`);
  return { targets: coldStartTargets(samples), isSlower: comparison?.isSlower ?? false };
}

async function work({ functions }: Bundles, rounds: number): Promise<Target[]> {
  const rows = await measureWork({ functions, rounds, events: eventsOfShape });
  console.log(
    `\nThe bundles in one warm process each: medians of ${rounds} rounds with ${eventsOfShape} events`,
  );
  console.log(renderWork(rows));
  return workTargets(rows);
}

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '15' },
      part: { type: 'string' },
      save: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const rounds = wholeNumber('rounds', values.rounds);
  const part = oneOf('part', ['cold-start', 'work'], values.part);
  const { save } = values;
  const against = values.against === undefined ? undefined : readRun(values.against);
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  console.log(`${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory}, Node.js ${process.version}`);
  const bundles = await buildBundles(root, folder);
  const starts = part === 'work' ? undefined : await coldStart(bundles, rounds, folder, { save, against });
  const targets = [
    ...(starts?.targets ?? []),
    ...(part === 'cold-start' ? [] : await work(bundles, Math.ceil(rounds / 3))),
  ];
  console.log(`\n${renderTargets(targets)}`);
  return targets.every(isReached) && starts?.isSlower !== true ? 0 : 1;
});
