/**
 * `npm run bench -- [--rounds N] [--requests N] [--part cold-start|work] [--json FILE]`: how fast the functions start and what they
 * cost warm, against baselines; prints tables and whether the targets were reached. `--profile ingest|worker|publisher` prints where
 * a function's time goes instead. Starting takes Linux: Lambda's runtime client is built once, into node_modules/.cache. Exit code 1: a
 * target was missed; 2: it failed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BenchOptions, readOptions } from './cold-start/bench-options.ts';
import { measureColdStarts } from './cold-start/cold-start.ts';
import { coldStartTargets, renderColdStart, summarize } from './cold-start/cold-start-figures.ts';
import { installRuntime } from './cold-start/install-runtime.ts';
import { machine, renderMachine } from './cold-start/machine.ts';
import { isReached, renderTargets } from './cold-start/target.ts';
import { type Bundles, buildBundles } from './cold-start/variants.ts';
import { runScript } from './run-script.ts';
import { measureWork } from './work/measure-work.ts';
import { profileOf, renderProfile } from './work/profile.ts';
import { renderWork, workTargets } from './work/work-figures.ts';

const root = resolve(import.meta.dirname, '../..');
const warmUp = 200;
const eventsOfShape = 3000;

const abort = new AbortController();
const { signal } = abort;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => abort.abort());
const note = (line: string) => console.error(line);

async function coldStart({ variants }: Bundles, { rounds, requests }: BenchOptions) {
  note('Lambda runtime client: building it takes a minute the first time');
  const runtime = await installRuntime(join(root, 'node_modules/.cache/lambda-runtime'), signal);
  const samples = await measureColdStarts(variants, { runtime, rounds, requests, warmUp, signal, note });
  const rows = summarize(variants, samples);
  const targets = coldStartTargets(rows, samples);
  console.log(
    `\nEach in a process of its own through aws-lambda-ric: medians of ${rounds} processes, of ${requests} warm requests in each`,
  );
  console.log(`${renderColdStart(rows)}\n\n${renderTargets(targets)}`);
  return { rows, targets, samples };
}

async function work({ functions }: Bundles, { rounds }: BenchOptions) {
  const workRounds = Math.ceil(rounds / 3);
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
  console.log(renderMachine(machine()));
  const started = part === 'work' ? undefined : await coldStart(bundles, options);
  const worked = part === 'cold-start' ? undefined : await work(bundles, options);
  const figures = {
    ...{ date: new Date().toISOString(), machine: machine(), rounds, requests },
    ...{ coldStart: started, work: worked },
  };
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  const targets = [...(started?.targets ?? []), ...(worked?.targets ?? [])];
  return targets.every(isReached) ? 0 : 1;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
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
