import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeliveredFailure,
  groupFailures,
} from '../../../../../functions/automations/failure-alert/failure-notice.ts';
import { assertProperty } from '../../../../support/property.ts';
import { failure } from './failures.ts';

const delivered = (
  number: number,
  rest: Parameters<typeof failure>[1] = {},
  receiptHandle = `r${number}`,
) => ({
  failure: failure(number, rest),
  receiptHandle,
});
const numbersOf = (groups: ReturnType<typeof groupFailures>) =>
  groups.map(({ failures }) => failures.map(({ messageId }) => messageId));

describe('failures are grouped', () => {
  it('by error code, or by status without one, the largest group first', () => {
    const groups = groupFailures([
      delivered(1, { status: 'rejected' }),
      delivered(2, { errorCode: '30008' }),
      delivered(3, { errorCode: '30008', status: 'failed' }),
      delivered(4, { status: 'expired' }),
      delivered(5, { errorCode: '30008' }),
      delivered(6, { status: 'rejected' }),
    ]);
    expect(groups.map(({ cause }) => cause)).toEqual([
      { kind: 'error-code', value: '30008' },
      { kind: 'status', value: 'rejected' },
      { kind: 'status', value: 'expired' },
    ]);
    expect(numbersOf(groups)).toEqual([['m5', 'm3', 'm2'], ['m6', 'm1'], ['m4']]);
  });

  it('without the phone number that a contract reads as an error code by mistake', () => {
    const groups = groupFailures([
      delivered(1, { errorCode: '+12025550143' }),
      delivered(2, { errorCode: '+12025550144' }),
    ]);
    expect(groups.map(({ cause, failures }) => [cause.value, failures.length])).toEqual([['+***', 2]]);
  });

  it('once each, and a redelivered one is deleted with the first', () => {
    const groups = groupFailures([
      delivered(1, { errorCode: 'a' }),
      delivered(1, { errorCode: 'a' }, 'again'),
      delivered(1, { errorCode: 'b' }, 'with another code'),
    ]);
    expect(numbersOf(groups)).toEqual([['m1']]);
    expect(groups[0]?.receiptHandles).toEqual(['r1', 'again', 'with another code']);
  });

  it('by messages: for one that failed again for the same cause the newest failure counts', () => {
    const again = { ...failure(9, { errorCode: 'a' }), messageId: 'm1' };
    const elsewhere = { ...failure(8, { errorCode: 'b' }), messageId: 'm1' };
    const groups = groupFailures([
      delivered(1, { errorCode: 'a' }),
      { failure: again, receiptHandle: 'r9' },
      delivered(2, { errorCode: 'a' }),
      { failure: elsewhere, receiptHandle: 'r8' },
    ]);
    expect(
      groups.map(({ cause, failures }) => [cause.value, failures.map(({ eventId }) => eventId)]),
    ).toEqual([
      ['a', [again.eventId, failure(2).eventId]],
      ['b', [elsewhere.eventId]],
    ]);
    expect(groups[0]?.receiptHandles).toEqual(['r1', 'r9', 'r2']);
  });

  it('in any number and order: each in one group, and every delivery is deleted', () => {
    const any = fc.array(
      fc.record({ number: fc.nat(30), code: fc.constantFrom(undefined, '1', '2', 'failed') }),
      { maxLength: 80 },
    );
    assertProperty(
      fc.property(any, fc.infiniteStream(fc.nat()), (items, order) => {
        // The code belongs to the fact: the same in each delivery.
        const codes = new Map(items.map(({ number, code }) => [number, code]));
        const all = items.map(({ number }, index): DeliveredFailure => {
          const errorCode = codes.get(number);
          return delivered(number, errorCode === undefined ? {} : { errorCode }, `r${index}`);
        });
        const shuffled = all
          .map((item) => ({ item, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item);
        const groups = groupFailures(shuffled);
        const inGroups = groups.flatMap(({ failures }) => failures.map(({ eventId }) => eventId));
        expect([...inGroups].sort()).toEqual([...new Set(all.map((one) => one.failure.eventId))].sort());
        const receipts = groups.flatMap(({ receiptHandles }) => receiptHandles);
        expect([...receipts].sort()).toEqual(all.map(({ receiptHandle }) => receiptHandle).sort());
        expect(groups.length).toBe(new Set([...codes.values()]).size);
        for (const { cause, failures } of groups)
          for (const { errorCode, status } of failures) expect(errorCode ?? status).toBe(cause.value);
        const bySize = groups.map(({ failures }) => failures.length);
        expect(bySize).toEqual([...bySize].sort((a, b) => b - a));
      }),
    );
  });
});
