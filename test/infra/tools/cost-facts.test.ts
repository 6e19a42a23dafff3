import { expect, it } from 'vitest';
import { templateFacts } from '../../../tools/bench/cost/template-facts.ts';
import { assemblyFor } from '../support/built-app.ts';

it('the cost model finds the billed resources in the templates with default settings', () => {
  const facts = templateFacts(assemblyFor().assembly.directory);
  expect(Object.keys(facts.memory).sort()).toEqual([
    'ingest',
    'publisher',
    'query',
    'setup',
    'sweep',
    'worker',
  ]);
  for (const memory of Object.values(facts.memory)) expect(memory).toBeGreaterThanOrEqual(128);
  expect(facts).toMatchObject({
    ...{ systemLogLevel: 'WARN', accessLogFormat: expect.stringContaining('$context.') },
    worker: { batchSize: 100, windowSeconds: 1, parallelism: 1 },
    publisher: { windowSeconds: expect.any(Number), parallelism: 2 },
    ...{ dashboards: 1, secrets: 1, archives: 1 },
  });
  expect(facts.publisher.batchSize).toBeGreaterThan(10);
  // The mappings of the worker, and of the signals to setup.
  expect(facts.polledQueues).toBe(2);
  expect(facts.alarms).toBeGreaterThan(10);
  // Reconciling every five minutes is most of them.
  expect(facts.scheduledRunsPerMonth).toBeGreaterThan(8760);
});
