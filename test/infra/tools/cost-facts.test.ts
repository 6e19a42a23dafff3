import { expect, it } from 'vitest';
import { templateFacts } from '../../../tools/bench/cost/template-facts.ts';
import { assemblyFor } from '../support/built-app.ts';

it('the cost tool finds the batches of the worker and of the publisher', () => {
  const { worker, publisher } = templateFacts(assemblyFor({}).assembly.directory);
  expect(worker).toEqual({ batchSize: 6, windowSeconds: 1, parallelism: 1 });
  expect(publisher).toEqual({ batchSize: 100, windowSeconds: 0, parallelism: 2 });
});
