import { expect, it } from 'vitest';
import { templateProblems } from '../../../tools/check/template-problems.ts';
import { largest, pipelineStacks, smallest } from './synthesized.ts';

// With the defaults, and with everything switched on: test/infra/app/app.test.ts.
it.each([
  ['the largest settings', largest],
  ['the smallest settings', smallest],
  ['registration switched off', { 'sms:registration': 'off' }],
])('the pipeline could be deployed with %s', (_, context) => {
  const stacks = pipelineStacks(context);
  expect(stacks.length).toBeGreaterThan(0);
  expect(templateProblems(stacks)).toEqual([]);
});

it('the longest name of a stack makes no name of an API that API Gateway rejects, which has at most 128 characters', () => {
  const names = pipelineStacks(largest).flatMap(({ template }) =>
    Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Api' || Type === 'AWS::ApiGatewayV2::Authorizer')
      .map(({ Properties }) => String(Properties.Name)),
  );
  expect(names).toHaveLength(3);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(128);
});
