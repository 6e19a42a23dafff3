import { describe, expect, it } from 'vitest';
import { denialsOf, grantsOf, roundsOf } from '../../../../../tools/drills/iam/rounds.ts';

const grant = (name: string, action: string, resource = 'queue') => ({ function: name, action, resource });

describe('the withheld grants', () => {
  it('are all grants except those that are explained as unused', () => {
    const granted = [
      { action: 'sqs:SendMessage', resource: 'queue', used: 0 },
      { action: 'xray:PutTraceSegments', resource: '*', used: 0, unusedBecause: 'no traces' },
    ];
    expect(grantsOf({ functions: [{ name: 'worker', granted, denied: [] }] })).toEqual([
      grant('worker', 'sqs:SendMessage'),
    ]);
  });

  it('come once each, and no function lacks two at once', () => {
    const grants = [
      grant('worker', 'a:A'),
      grant('worker', 'a:B'),
      grant('ingest', 'a:A'),
      grant('worker', 'a:C'),
    ];
    const rounds = roundsOf(grants);
    expect(rounds.map((round) => round.map((one) => one.function))).toEqual([
      ['worker', 'ingest'],
      ['worker'],
      ['worker'],
    ]);
    expect(new Set(rounds.flat())).toEqual(new Set(grants));
  });
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
