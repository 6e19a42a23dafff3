import { join } from 'node:path';
import { median } from '../../support/statistics.ts';
import { functionEnvironment, webhookSecret } from '../function-environment.ts';
import { startFakeAws } from '../servers/fake-aws.ts';
import { makeCertificate } from '../servers/https-server.ts';
import { webhookRequests } from '../webhook-requests.ts';
import type { ColdFigures, Samples, WarmFigures } from './cold-start-figures.ts';
import { startProcess, type VariantProcess } from './start-process.ts';
import { type ByVariant, byVariant, type Variant } from './variants.ts';

interface MeasureSettings {
  /** index.mjs of aws-lambda-ric. */
  readonly runtime: string;
  /** Receives the certificate of this run. */
  readonly folder: string;
  /** Processes of each variant that are started for their first response. */
  readonly rounds: number;
  /** Processes of each variant that are given warm requests. */
  readonly warmRounds: number;
  /** Requests of such a process before those that are measured. */
  readonly warmUp: number;
  readonly requests: number;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

type Start = (variant: Variant) => Promise<VariantProcess>;

/** Runs what is compared against an AWS that speaks HTTPS, as on Lambda: over plain HTTP the SDK loads and does other things. */
export async function measureVariants(
  variants: readonly Variant[],
  settings: MeasureSettings,
): Promise<Samples> {
  const certificate = join(settings.folder, 'certificate.pem');
  const aws = await startFakeAws(webhookSecret, await makeCertificate(certificate));
  const event = webhookRequests();
  const start: Start = (variant) => {
    const environment = functionEnvironment('ingest', variant.folder, aws.url);
    return startProcess(variant, {
      runtime: settings.runtime,
      environment: { ...environment, NODE_EXTRA_CA_CERTS: certificate },
      event,
      signal: settings.signal,
    });
  };
  try {
    const cold = await measureColdStarts(variants, start, settings);
    return { cold, warm: await measureWarmRequests(variants, start, settings) };
  } finally {
    await aws.stop();
  }
}

/** Starts each variant once a round and sends it one request, in a process of its own: a figure a round. */
async function measureColdStarts(
  variants: readonly Variant[],
  start: Start,
  { rounds, note }: MeasureSettings,
): Promise<ByVariant<readonly ColdFigures[]>> {
  const samples = byVariant((): ColdFigures[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const variant of inTurn(variants, round)) {
      const { initMs, initCpuMs, run, stop } = await start(variant);
      const { ms, cpuMs } = await run(1).finally(stop);
      // The first round brings the files into the system's cache.
      if (round === 0) continue;
      const [firstResponseMs = Number.NaN] = ms;
      samples[variant.name].push({ initMs, initCpuMs, firstResponseMs, firstCpuMs: cpuMs });
    }
    note(round === 0 ? 'a round to warm the machine up is over' : `start ${round} of ${rounds} is over`);
  }
  return samples;
}

/** So few that what the machine does changes little meanwhile. */
const requestsOnEnd = 100;

/**
 * Starts a process of each variant a round and sends each a few requests in turn, again and again: a figure a turn, in the same
 * order for all variants, so that those of one turn can be compared.
 */
async function measureWarmRequests(
  variants: readonly Variant[],
  start: Start,
  { warmRounds, warmUp, requests, note }: MeasureSettings,
): Promise<ByVariant<readonly WarmFigures[]>> {
  const samples = byVariant((): WarmFigures[] => []);
  const warmUpTurns = Math.ceil(warmUp / requestsOnEnd);
  const turns = warmUpTurns + Math.ceil(requests / requestsOnEnd);
  for (let round = 1; round <= warmRounds; round++) {
    const processes: { readonly variant: Variant; readonly process: VariantProcess }[] = [];
    try {
      for (const variant of variants) processes.push({ variant, process: await start(variant) });
      for (let turn = 0; turn < turns; turn++)
        for (const { variant, process } of inTurn(processes, turn)) {
          const { ms, cpuMs } = await process.run(requestsOnEnd);
          if (turn >= warmUpTurns)
            samples[variant.name].push({ warmMs: median(ms), warmCpuMs: cpuMs / requestsOnEnd });
        }
    } finally {
      await Promise.all(processes.map(({ process }) => process.stop()));
    }
    note(`warm round ${round} of ${warmRounds} is over`);
  }
  return samples;
}

/** Returns all of them, beginning with another one each turn, so that what else the machine does meets them all alike. */
function inTurn<T>(all: readonly T[], turn: number): T[] {
  const first = turn % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
