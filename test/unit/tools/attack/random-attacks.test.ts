import { describe, expect, it } from 'vitest';
import { ingestAttack } from '../../../../tools/attack/ingest-attack.ts';
import type { IngestAttempt } from '../../../../tools/attack/ingest-requests.ts';
import { runAttack } from '../../../../tools/attack/run-attack.ts';
import { workerAttack } from '../../../../tools/attack/worker-attack.ts';

/** A short run of `npm run attack`, which tries other seeds. */
const seed = 1;
const attempts = 500;

describe('hostile input of any shape breaks no promise', () => {
  it('of ingest, which accepts signed requests', async () => {
    const { findings, outcomes } = await runAttack(ingestAttack, attempts, seed);
    expect(findings).toEqual([]);
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['200', '401', '405']));
  });

  it('of the worker, which stores readable events', async () => {
    const { findings, outcomes } = await runAttack(workerAttack, attempts, seed);
    expect(findings).toEqual([]);
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['stored', 'quarantined', 'parked']));
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
