import { expect, it } from 'vitest';
import { compileEdgeFunction } from '../../../../../local/services/cloudfront/edge-function.ts';

it('a CloudFront function changes the path of a request', () => {
  const run = compileEdgeFunction(
    "function handler(event) { event.request.uri = event.request.uri + '/end'; return event.request; }",
  );
  expect(run('/a')).toBe('/a/end');
});

it('a CloudFront function sees nothing of the process', () => {
  const run = compileEdgeFunction(
    'function handler(event) { event.request.uri = typeof process + typeof require; return event.request; }',
  );
  expect(run('/a')).toBe('undefinedundefined');
});
