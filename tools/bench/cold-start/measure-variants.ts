import { join } from 'node:path';
import { median } from '../../support/statistics.ts';
import { startFakeAws } from '../fake-aws.ts';
import { functionEnvironment } from '../function-environment.ts';
import { makeCertificate } from '../https-server.ts';
import { webhookRequests } from '../webhook-requests.ts';
import { figuresOf, type Samples } from './cold-start-figures.ts';
import { startProcess, type VariantProcess } from './start-process.ts';
import type { Variant } from './variants.ts';

interface MeasureSettings {
  /** index.mjs of aws-lambda-ric. */
  readonly runtime: string;
  /** Receives the certificate of this run. */
  readonly folder: string;
  /** Processes of each variant that are started for their first response. */
  readonly rounds: number;
  /** Processes of each variant that are given warm requests. */
  readonly warmRounds: number;
}

/** Requests of a warm process on end: so few that what the machine does changes little meanwhile. */
const turn = 100;
/** V8 still compiles what a request runs until then: the processor time of one falls to half. */
const warmUpTurns = 50;
const turns = 70;

/** Runs what is compared against an AWS that speaks HTTPS, as on Lambda: over plain HTTP the SDK loads and does other things. */
export async function measureVariants(
  variants: readonly Variant[],
  { runtime, folder, rounds, warmRounds }: MeasureSettings,
): Promise<ReadonlyMap<string, Samples>> {
  const certificate = join(folder, 'certificate.pem');
  const aws = await startFakeAws(await makeCertificate(certificate));
  const event = webhookRequests();
  const samples = new Map(variants.map(({ name }) => [name, figuresOf((): number[] => [])]));
  const start = (variant: Variant) => {
    const environment = functionEnvironment('ingest', variant.folder, aws.url);
    return startProcess(variant, {
      runtime,
      environment: { ...environment, NODE_EXTRA_CA_CERTS: certificate },
      event,
    });
  };

  /** Starts each variant once and sends it one request. */
  async function startEach(round: number): Promise<void> {
    for (const variant of inTurn(variants, round)) {
      const { initMs, initCpuMs, run, stop } = await start(variant);
      const { ms, cpuMs } = await run(1).finally(stop);
      // The first round brings the files into the system's cache.
      if (round === 0) continue;
      const own = samples.get(variant.name);
      const [firstResponseMs = Number.NaN] = ms;
      own?.initMs.push(initMs);
      own?.initCpuMs.push(initCpuMs);
      own?.firstResponseMs.push(firstResponseMs);
      own?.firstCpuMs.push(cpuMs);
      own?.coldMs.push(initMs + firstResponseMs);
      own?.coldCpuMs.push(initCpuMs + cpuMs);
    }
  }

  /**
   * Starts each variant and sends each a few requests in turn, again and again: a figure a turn, in the same order for all variants,
   * so that those of one turn can be compared.
   */
  async function sendWarmRequests(): Promise<void> {
    const processes: { readonly name: string; readonly process: VariantProcess }[] = [];
    try {
      for (const variant of variants) processes.push({ name: variant.name, process: await start(variant) });
      for (let number = 0; number < turns; number++)
        for (const { name, process } of inTurn(processes, number)) {
          const { ms, cpuMs } = await process.run(turn);
          if (number < warmUpTurns) continue;
          samples.get(name)?.warmMs.push(median(ms));
          samples.get(name)?.warmCpuMs.push(cpuMs / turn);
        }
    } finally {
      await Promise.all(processes.map(({ process }) => process.stop()));
    }
  }

  try {
    for (let round = 0; round <= rounds; round++) {
      await startEach(round);
      console.error(`start ${round} of ${rounds} is over`);
    }
    for (let round = 1; round <= warmRounds; round++) {
      await sendWarmRequests();
      console.error(`warm round ${round} of ${warmRounds} is over`);
    }
  } finally {
    await aws.stop();
  }
  return samples;
}

/** Returns all of them, beginning with another one each turn, so that what else the machine does meets them all alike. */
function inTurn<T>(all: readonly T[], turn: number): T[] {
  const first = turn % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
