import { describe, expect, it } from 'vitest';
import { Faults, type FaultyCall } from '../../../../local/gateway/faults.ts';

function faultsOf(...faults: object[]) {
  const all = new Faults();
  all.replace({ faults });
  /** The kind of the fault that hits a call, or 'ok'. */
  const outcome = (caller: string | undefined, operation = 'GetItem', service = 'dynamodb') =>
    all.take({ caller, service, operation } satisfies FaultyCall)?.kind ?? 'ok';
  return { all, outcome };
}

describe('a fault', () => {
  it('lets the first calls pass, hits its number of calls, and leaves the rest to the next fault', () => {
    const { all, outcome } = faultsOf(
      { caller: 'worker', service: 'dynamodb', operation: 'GetItem', kind: 'throttle', after: 1, calls: 2 },
      { service: 'dynamodb', kind: 'fail', calls: 1 },
    );
    const outcomes = Array.from({ length: 5 }, () => outcome('worker'));
    expect(outcomes).toEqual(['ok', 'throttle', 'throttle', 'fail', 'ok']);
    expect(all.state).toEqual({
      faults: [
        {
          caller: 'worker',
          service: 'dynamodb',
          operation: 'GetItem',
          kind: 'throttle',
          after: 1,
          calls: 2,
          seen: 5,
          hit: 2,
          abandoned: 0,
        },
        {
          service: 'dynamodb',
          kind: 'fail',
          after: 0,
          calls: 1,
          seen: 5,
          hit: 1,
          abandoned: 0,
        },
      ],
    });
  });
});
