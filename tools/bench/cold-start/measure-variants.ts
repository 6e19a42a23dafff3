import { join } from 'node:path';
import { shippedContract } from '../../support/contracts.ts';
import { startFakeAws } from '../servers/fake-aws.ts';
import { makeCertificate } from '../servers/https-server.ts';
import { measureColdStarts } from './cold-start.ts';
import type { Samples } from './cold-start-figures.ts';
import type { Variant } from './variants.ts';
import { measureWarmRequests } from './warm-requests.ts';
import { ingestEnvironment, webhookRequests, webhookSecret } from './webhook-request.ts';

export interface MeasureSettings {
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

/** Runs what is compared against an AWS that speaks HTTPS, as on Lambda: over plain HTTP the SDK loads and does other things. */
export async function measureVariants(
  variants: readonly Variant[],
  { runtime, folder, rounds, warmRounds, warmUp, requests, signal, note }: MeasureSettings,
): Promise<Samples> {
  const certificate = join(folder, 'certificate.pem');
  const aws = await startFakeAws(webhookSecret, await makeCertificate(certificate));
  const event = webhookRequests(shippedContract.webhook.signature);
  const settingsOf = (variant: Variant) => ({
    runtime,
    environment: { ...ingestEnvironment(variant.folder, aws.url), NODE_EXTRA_CA_CERTS: certificate },
    event,
    signal,
  });
  try {
    const cold = await measureColdStarts(variants, { rounds, settingsOf, note });
    const warm = await measureWarmRequests(variants, {
      rounds: warmRounds,
      warmUp,
      requests,
      settingsOf,
      note,
    });
    return { cold, warm };
  } finally {
    await aws.stop();
  }
}
