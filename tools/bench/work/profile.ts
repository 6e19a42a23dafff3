import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTable } from '../../support/table.ts';
import type { Bundles } from '../cold-start/variants.ts';
import { functionEnvironment, webhookSecret } from '../function-environment.ts';
import { startFakeAws } from '../servers/fake-aws.ts';
import { webhookRequests } from '../webhook-requests.ts';
import { cpuProfile, type OwnTime, ownTimes, sourcesBy } from './cpu-profile.ts';
import { batchesOf } from './measure-work.ts';
import { startWorkProcess } from './start-work-process.ts';

export const profiled = ['ingest', 'worker', 'publisher'] as const;

export type Profiled = (typeof profiled)[number];

/** So many that starting is little of it. */
const events = 30_000;

/**
 * Where a warm function's processor time goes: ingest with a request each, worker and publisher in batches of 100 with 3 events
 * of a message each.
 *
 * @param folder for the raw profile
 */
export async function profileOf(
  name: Profiled,
  { functions, maps }: Bundles,
  folder: string,
  signal: AbortSignal,
): Promise<OwnTime[]> {
  mkdirSync(folder, { recursive: true });
  const aws = await startFakeAws(webhookSecret);
  try {
    const bundle = join(functions, name);
    const child = startWorkProcess({
      bundle,
      environment: functionEnvironment(name, bundle, aws.url),
      answer: name === 'ingest' ? '"statusCode":200' : '"batchItemFailures":[]',
      signal,
      execArgv: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'],
    });
    try {
      await child.run(name === 'ingest' ? requests() : batches(name));
    } finally {
      await child.stop();
    }
  } finally {
    await aws.stop();
  }
  const [file = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.cpuprofile'));
  const profile = cpuProfile.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const map = JSON.parse(readFileSync(join(maps, `${name}.js.map`), 'utf8'));
  return ownTimes(profile, sourcesBy(map));
}

function requests(): unknown[] {
  const next = webhookRequests();
  return Array.from({ length: events }, () => JSON.parse(next()));
}

function batches(name: 'worker' | 'publisher'): unknown[] {
  return batchesOf({ name, batchSize: 100, perMessage: 3 }, events, 0).map((Records) => ({ Records }));
}

export function renderProfile(name: Profiled, times: readonly OwnTime[]): string {
  const rows = times
    .slice(0, 25)
    .map(({ owner, milliseconds, part }) => [
      owner,
      ((milliseconds * 1000) / events).toFixed(1),
      `${(part * 100).toFixed(1)} %`,
    ]);
  return renderTable([[`${name}: own time`, 'us per event', 'of all'], ...rows]);
}
