import { describe, expect, it } from 'vitest';
import { checks } from './checks/checks.ts';
import { everything, largest, pipelineStacks, smallest, stacksOf } from './synthesized.ts';

describe.each([
  ['the pipeline by default', () => pipelineStacks()],
  ['the pipeline with everything on, as it ships', () => stacksOf('bin/app.ts', everything)],
  ['the pipeline with the largest settings', () => pipelineStacks(largest)],
  ['the pipeline with the smallest settings', () => pipelineStacks(smallest)],
  ['the pipeline without registration', () => pipelineStacks({ 'sms:registration': 'off' })],
  ['the example of tickets', () => stacksOf('examples/failed-delivery-tickets/app.ts')],
  ['the example of another account', () => stacksOf('examples/another-account/app.ts')],
  ['the example of a workflow', () => stacksOf('examples/reply-workflow/app.ts')],
])('%s', async (_, synthesize) => {
  const stacks = await synthesize();

  it.each(Object.entries(checks))('has no %s', (_name, check) => {
    expect(stacks.length).toBeGreaterThan(0);
    expect(check(stacks)).toEqual([]);
  });
});
