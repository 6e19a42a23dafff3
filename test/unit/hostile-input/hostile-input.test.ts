import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertySeed } from '../../support/fixed-seed.ts';
import { assertProperty } from '../../support/property.ts';
import { ingestAttack } from './ingest-attack.ts';
import type { IngestAttempt } from './ingest-requests.ts';
import type { Attack } from './targets.ts';
import { workerAttack } from './worker-attack.ts';

/** Attempts on each function; the nightly run makes more. */
const attempts = Number(process.env.PROPERTY_RUNS ?? 500);
/** Attempts on one instance: so many are repeated, at most, to see a finding again. */
const chunk = 10_000;

/** Makes attempts, each of which must have an outcome in this list. @returns the outcomes that were seen */
async function attack<T>(open: () => Attack<T>, outcomes: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let made = 0; made < attempts; made += chunk) {
    const { attempts: arbitrary, attempt } = open();
    const property = fc.asyncProperty(arbitrary, async (value) => {
      const outcome = await attempt(value);
      seen.add(outcome);
      expect(outcomes).toContain(outcome);
    });
    const numRuns = Math.min(chunk, attempts - made);
    await assertProperty(property, { numRuns, seed: propertySeed + made / chunk });
  }
  return seen;
}

describe('hostile input of any shape breaks no promise', () => {
  it('of ingest, which accepts signed requests', async () => {
    const seen = await attack(ingestAttack, ['200', '202', '204', '401', '405', '413', '503']);
    expect([...seen]).toEqual(expect.arrayContaining(['200', '401', '405']));
  });

  it('of the worker, which stores readable events', async () => {
    const seen = await attack(workerAttack, ['stored', 'quarantined', 'parked', 'stored and quarantined']);
    expect([...seen]).toEqual(expect.arrayContaining(['stored', 'quarantined', 'parked']));
  });
});

describe('a defect that such an attack found stays fixed', () => {
  const attempt: IngestAttempt = {
    target: 'shipped',
    body: Buffer.from('{}'),
    bodyTimes: 1,
    signer: 'current',
    id: 'a',
    ageSeconds: 0,
    mutations: [],
    noise: [],
    method: 'POST',
    query: '',
    path: '/webhooks/sms',
    queueFails: false,
    gapMs: 0,
  };

  it.each<[string, IngestAttempt, string]>([
    ['an untouched request', attempt, '200'],
    ['one without headers is no fault of ours', { ...attempt, mutations: [{ do: 'no-headers' }] }, '401'],
  ])('%s', async (_, found, outcome) => {
    expect(await ingestAttack().attempt(found)).toBe(outcome);
  });
});
