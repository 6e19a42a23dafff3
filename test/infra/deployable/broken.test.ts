import { describe, expect, it } from 'vitest';
import { checks } from '../../../tools/check/templates/checks.ts';
import type { Stack } from '../../../tools/check/templates/stack.ts';
import { retainedUnpinned, statefulResources } from '../../../tools/check/templates/stateful.ts';
import { type Break, type Breaks, put, resourceOf, stackCalled } from './break/break.ts';
import { brokenLimits } from './break/break-limits.ts';
import { brokenStructure } from './break/break-structure.ts';
import { everything, pipelineStacks } from './synthesized.ts';

const intact = pipelineStacks(everything);

/** Each check has to find something. */
const breaks: Breaks = { ...brokenStructure, ...brokenLimits } satisfies Record<keyof typeof checks, unknown>;

describe.each(Object.entries(breaks))('a %s is found', (name, mistakes) => {
  it.each(mistakes)('%s', (_, make, found) => {
    const [, check] = Object.entries(checks).find(([key]) => key === name) ?? [];
    const broken = structuredClone([...intact]);
    make(broken);
    expect(check?.(intact)).toEqual([]);
    expect(check?.(broken).join('\n')).toMatch(new RegExp(found, 'm'));
  });
});

describe('a resource with data that', () => {
  const pinned = (stacks: readonly Stack[]) => statefulResources(stacks, 'SmsPipeline');

  it.each<[string, Break]>([
    [
      'has another key',
      (all) => put(resourceOf(all, 'AWS::DynamoDB::Table', 'History'), 'KeySchema.0.AttributeName', 'id'),
    ],
    [
      'goes with its stack',
      (all) => {
        resourceOf(all, 'AWS::SecretsManager::Secret', 'Webhook').DeletionPolicy = 'Delete';
      },
    ],
    [
      'has another id',
      (all) => {
        const { Resources } = stackCalled(all, '-Storage').template;
        Resources.Renamed = resourceOf(all, 'AWS::SecretsManager::Secret', 'WebhookSecret');
        delete Resources.WebhookSecret;
      },
    ],
  ])('%s differs from the pinned state', (_, make) => {
    const broken = structuredClone([...intact]);
    make(broken);
    expect(pinned(broken)).not.toEqual(pinned(intact));
  });

  it('has an unknown type is reported', () => {
    const broken = structuredClone([...intact]);
    resourceOf(broken, 'AWS::Logs::LogGroup', 'Setup').DeletionPolicy = 'Retain';
    expect(retainedUnpinned(broken)).toEqual([expect.stringContaining('AWS::Logs::LogGroup')]);
  });
});
