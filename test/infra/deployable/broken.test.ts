import { describe, expect, it } from 'vitest';
import type { Stack } from '../../../local/cloudformation/cloud-assembly.ts';
import { retainedUnpinned, statefulResources } from '../../../tools/check/stateful-resources.ts';
import { templateProblems } from '../../../tools/check/template-problems.ts';
import { isBelow } from '../support/built-app.ts';
import { everything, pipelineStacks } from './synthesized.ts';

const intact = pipelineStacks(everything);

/** Returns a copy of the stacks with a change. */
function broken(change: (stacks: Stack[]) => void): Stack[] {
  const stacks = structuredClone([...intact]);
  change(stacks);
  return stacks;
}

/** The first resource of a type whose logical id begins so, after the name of its part. */
function resourceOf(stacks: readonly Stack[], type: string, prefix = '') {
  for (const { template } of stacks)
    for (const [id, resource] of Object.entries(template.Resources))
      if (resource.Type === type && isBelow(id, prefix)) return resource;
  throw new Error(`no ${type} ${prefix}*`);
}

/** A change of one resource's properties. */
const set = (type: string, prefix: string, properties: object) => (stacks: readonly Stack[]) => {
  Object.assign(resourceOf(stacks, type, prefix).Properties, properties);
};

const long = (statements: number) => ({
  PolicyDocument: { Statement: Array.from({ length: statements }, () => ({ Resource: 'x'.repeat(100) })) },
});
const worker = (properties: object) => set('AWS::Lambda::Function', 'EventsWorker', properties);
const described = (value: unknown) => worker({ Description: `of ${value}` });

it.each<[string, (stacks: Stack[]) => void, RegExp]>([
  ['a text token', described(['$', '{Token[TOKEN.12]}'].join('')), /unresolved text .*of \$\{Token/],
  ['an object as text', described({}), /of \[object Object\]/],
  ['undefined as text', described(undefined), /of undefined/],
  [
    'a long environment',
    worker({ Environment: { Variables: { LONG: 'x'.repeat(4096) } } }),
    /EventsWorker\w+: 4\d{3} bytes of environment, at most 4096/,
  ],
  [
    'a large policy of a role',
    set('AWS::IAM::Policy', 'EventsWorker', long(90)),
    /EventsWorkerRole.+ \d{5} bytes of policy, at most 10240/,
  ],
  [
    'two policies of a role that are large together',
    (all) => {
      for (const prefix of ['EventsWorker', 'Setup'])
        set('AWS::IAM::Policy', prefix, { Roles: ['shared'], ...long(50) })(all);
    },
    /shared.+ \d{5} bytes of policy/,
  ],
  [
    'a large policy of the bus',
    set('AWS::Events::EventBusPolicy', '', { Statement: 'x'.repeat(10_240) }),
    /Bus\w+.+ bytes of policy, at most 10240/,
  ],
  [
    'a function that API Gateway does not wait for',
    set('AWS::Lambda::Function', 'Ingest', { Timeout: 31 }),
    /may take 31 s/,
  ],
  [
    'two queues of one name',
    (all) => {
      for (const prefix of ['EventsQueue', 'Signals'])
        set('AWS::SQS::Queue', prefix, { QueueName: 'events' })(all);
    },
    /there twice: AWS::SQS::Queue "events"/,
  ],
  [
    'two policies of one name on a role of another owner',
    (all) => {
      for (const prefix of ['EventsWorker', 'Setup'])
        set('AWS::IAM::Policy', prefix, { Roles: ['reader'], PolicyName: 'mayRead' })(all);
    },
    /there twice: AWS::IAM::Policy "mayRead" \["reader"\]/,
  ],
])('%s is found', (_, change, problem) => {
  expect(templateProblems(intact)).toEqual([]);
  const problems = templateProblems(broken(change));
  expect(problems).toEqual([expect.stringMatching(problem)]);
});

describe('a resource with data that', () => {
  it.each<[string, (stacks: Stack[]) => void]>([
    ['has another key', set('AWS::DynamoDB::Table', 'History', { KeySchema: [{ AttributeName: 'id' }] })],
    [
      'goes with its stack',
      (all) => {
        resourceOf(all, 'AWS::SecretsManager::Secret', 'Webhook').DeletionPolicy = 'Delete';
      },
    ],
    [
      'has another id',
      (all) => {
        const secret = resourceOf(all, 'AWS::SecretsManager::Secret', 'WebhookSecret');
        for (const { name, template } of all)
          if (name === 'SmsPipeline') Object.assign(template.Resources, { Renamed: secret });
      },
    ],
  ])('%s differs from the pinned state', (_, change) => {
    const pinned = (stacks: readonly Stack[]) => statefulResources(stacks);
    expect(pinned(broken(change))).not.toEqual(pinned(intact));
  });

  it('has an unknown type is reported', () => {
    const stacks = broken((all) => {
      resourceOf(all, 'AWS::IAM::Role', 'Setup').DeletionPolicy = 'Retain';
    });
    expect(retainedUnpinned(stacks)).toEqual([expect.stringContaining('AWS::IAM::Role')]);
  });
});
