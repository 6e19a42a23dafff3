import { shippedContract } from '../../support/contracts.ts';
import { startFakeAws } from '../work/fake-aws.ts';
import type { Samples } from './cold-start-figures.ts';
import { ingestEnvironment } from './ingest-environment.ts';
import { measureProcess, type ProcessFigures } from './measure-process.ts';
import type { Variant, VariantName } from './variants.ts';
import { webhookRequests, webhookSecret } from './webhook-request.ts';

export interface ColdStartSettings {
  /** index.mjs of aws-lambda-ric. */
  readonly runtime: string;
  readonly rounds: number;
  readonly warmUp: number;
  readonly requests: number;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

/**
 * Starts each variant once a round and sends it requests, one after another, in a process of its own.
 * Interleaved, and each round begins with another one, so that what else the machine does meets them all alike.
 */
export async function measureColdStarts(
  variants: readonly Variant[],
  { rounds, note, ...settings }: ColdStartSettings,
): Promise<Samples> {
  const aws = await startFakeAws(webhookSecret);
  const samples: Record<VariantName, ProcessFigures[]> = {
    'empty handler': [],
    'HMAC only': [],
    'SendMessage only': [],
    ingest: [],
    'ingest, esbuild defaults': [],
  };
  const event = webhookRequests(shippedContract.webhook.signature);
  try {
    for (let round = 0; round <= rounds; round++) {
      const turn = round % variants.length;
      for (const variant of [...variants.slice(turn), ...variants.slice(0, turn)]) {
        const environment = ingestEnvironment(variant.folder, aws.url);
        const figures = await measureProcess(variant, { ...settings, environment, event });
        // The first round brings the files into the system's cache.
        if (round > 0) samples[variant.name].push(figures);
      }
      note(round === 0 ? 'a round to warm the machine up is over' : `round ${round} of ${rounds} is over`);
    }
  } finally {
    await aws.stop();
  }
  return samples;
}
