/**
 * `npm run bench -- [--rounds N] [--requests N] [--part cold-start|work] [--json FILE]`: how fast the functions start and what they
 * cost warm, against baselines; prints tables and whether the targets were reached, and what that would be on Lambda by a function's
 * memory. About fifteen minutes. `--profile ingest|worker|publisher` prints where a function's time goes instead. Starting takes Linux:
 * Lambda's runtime client is built once, into node_modules/.cache. Exit code 1: a target was missed; 2: it failed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oneOf, runScript, wholeNumber } from '../support/run-script.ts';
import { coldStartTargets, renderFigures, rowOf, summarize } from './cold-start/cold-start-figures.ts';
import { installRuntime } from './cold-start/install-runtime.ts';
import { measureVariants } from './cold-start/measure-variants.ts';
import { renderMemory } from './cold-start/memory-sizes.ts';
import { type Bundles, buildBundles } from './cold-start/variants.ts';
import { readPriceFile } from './cost/prices.ts';
import { isReached, renderTargets } from './targets.ts';
import { measureWork, renderWork, workTargets } from './work/measure-work.ts';
import { profiled, profileOf, renderProfile } from './work/profile.ts';

const root = resolve(import.meta.dirname, '../..');
const prices = join(import.meta.dirname, 'cost/prices-us-east-1.json');
/** V8 still compiles what a request runs until then: the processor time of one falls to half. */
const warmUp = 5000;
const eventsOfShape = 3000;

const parts = ['cold-start', 'work'] as const;

type BenchOptions = ReturnType<typeof readOptions>;

/** @throws OptionError, or what `parseArgs` throws */
function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '2000' },
      part: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'string' },
    },
  });
  return {
    rounds: wholeNumber('rounds', values.rounds),
    requests: wholeNumber('requests', values.requests),
    part: oneOf('part', parts, values.part),
    profile: oneOf('profile', profiled, values.profile),
    json: values.json,
  };
}

const abort = new AbortController();
const { signal } = abort;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => abort.abort());
const note = (line: string) => console.error(line);

const memoryGiB = Math.round(totalmem() / 2 ** 30);
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memoryGiB} GiB of memory, Node.js ${process.version}`;

/** Slow measurements have fewer rounds. */
const longRounds = (rounds: number) => Math.ceil(rounds / 3);

async function coldStart({ variants }: Bundles, { rounds, requests }: BenchOptions, folder: string) {
  const { lambdaGbSeconds } = readPriceFile(prices).prices;
  note('Lambda runtime client: building it takes a minute the first time');
  const runtime = await installRuntime(join(root, 'node_modules/.cache/lambda-runtime'), signal);
  const warmRounds = longRounds(rounds);
  const settings = { runtime, folder, rounds, warmRounds, warmUp, requests, signal, note };
  const samples = await measureVariants(variants, settings);
  const rows = summarize(variants, samples);
  const targets = coldStartTargets(rows, samples);
  const defaults = rowOf(rows, 'ingest, esbuild defaults').median;
  console.log(`\nEach in a process of its own through aws-lambda-ric: medians of ${rounds} processes;`);
  console.log(`warm: of ${warmRounds} processes each, after ${warmUp} requests`);
  console.log(`${renderFigures(rows)}\n\n${renderTargets(targets)}`);
  console.log('\nEstimated, not measured: ingest on Lambda by its memory, beside esbuild defaults');
  console.log(renderMemory(rowOf(rows, 'ingest').median, defaults, lambdaGbSeconds));
  return { warmRounds, warmUp, rows, targets, samples };
}

async function work({ functions }: Bundles, { rounds }: BenchOptions) {
  const workRounds = longRounds(rounds);
  const events = eventsOfShape;
  const rows = await measureWork({ functions, rounds: workRounds, events, signal, note });
  const targets = workTargets(rows);
  console.log(
    `\nThe bundles in one warm process each: medians of ${workRounds} rounds with ${events} events a row`,
  );
  console.log(`${renderWork(rows)}\n\n${renderTargets(targets)}`);
  return { rows, targets };
}

async function measure(options: BenchOptions, outdir: string): Promise<number> {
  const { rounds, requests, part } = options;
  const bundles = await buildBundles(root, outdir);
  if (options.profile !== undefined) {
    const times = await profileOf(options.profile, bundles, join(outdir, 'profile'), signal);
    console.log(renderProfile(options.profile, times));
    return 0;
  }
  console.log(machine);
  const started = part === 'work' ? undefined : await coldStart(bundles, options, outdir);
  const worked = part === 'cold-start' ? undefined : await work(bundles, options);
  const figures = {
    ...{ date: new Date().toISOString(), machine, rounds, requests },
    ...{ coldStart: started, work: worked },
  };
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  const targets = [...(started?.targets ?? []), ...(worked?.targets ?? [])];
  return targets.every(isReached) ? 0 : 1;
}

async function main(): Promise<number> {
  const options = readOptions();
  const outdir = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return await measure(options, outdir);
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('stopped');
    return 130;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

await runScript(main);
