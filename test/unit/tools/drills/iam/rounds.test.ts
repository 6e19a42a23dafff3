import { describe, expect, it } from 'vitest';
import { denialsOf, grantsOf } from '../../../../../tools/drills/iam/rounds.ts';

const grant = (name: string, action: string, resource = 'queue') => ({ function: name, action, resource });

it('the withheld grants are all grants except those that are explained as unused', () => {
  const granted = [
    { action: 'sqs:SendMessage', resource: 'queue', used: 0 },
    { action: 'xray:PutTraceSegments', resource: '*', used: 0, unusedBecause: 'no traces' },
  ];
  expect(grantsOf({ functions: [{ name: 'worker', granted, denied: [] }] })).toEqual([
    grant('worker', 'sqs:SendMessage'),
  ]);
});

describe('a denial counts for a grant', () => {
  const denials = (asked: ReturnType<typeof grant>, action: string, resource: string) =>
    denialsOf(
      { functions: [{ name: 'worker', granted: [], denied: [{ action, resource, times: 3 }] }] },
      asked,
    );

  it.each([
    ['of its function, action and resource', 'worker', 'sqs:SendMessage', 'queue', 3],
    ['of another function never', 'ingest', 'sqs:SendMessage', 'queue', 0],
    ['of another action never', 'worker', 'sqs:ReceiveMessage', 'queue', 0],
    ['of another resource never', 'worker', 'sqs:SendMessage', 'other-queue', 0],
    ['by a wildcard for any text', 'worker', 'sqs:SendMessage', 'q*', 3],
    ['by a wildcard for a character', 'worker', 'sqs:SendMessage', 'que?e', 3],
    ['never by a dot as if it were one', 'worker', 'sqs:SendMessage', 'que.e', 0],
  ])('%s', (_, name, action, resource, times) => {
    expect(denials(grant(name, action, resource), 'sqs:SendMessage', 'queue')).toBe(times);
  });
});
