import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  canonicalErrorReasons,
  canonicalStatuses,
  rankOf,
} from '../../../../../contract/schema/sms-event.ts';
import {
  bucketOfName,
  codeNames,
  codesOf,
  failureName,
  failureOfName,
  maxCodes,
  otherCode,
  statusName,
  statusNames,
  timeName,
} from '../../../../../functions/insights/counters/count-names.ts';
import { bucketOf, zeroBucket } from '../../../../../functions/insights/counters/delivery-times.ts';
import { assertProperty } from '../../../../support/property.ts';

it('a status has its own name, and one that the contract ranks otherwise or does not list is other', () => {
  const own = canonicalStatuses.map((status) => statusName(status, rankOf(status)));
  expect([...own, statusName('sent', 0), statusName('on-its-way', 30)]).toEqual([...statusNames, 'other']);
});

it('a failure has its reason and its code in its name', () => {
  expect(failureName('unreachable', '30003')).toBe('error#unreachable#30003');
  for (const reason of canonicalErrorReasons)
    for (const code of ['', '30003', 'e#1', otherCode])
      expect(failureOfName(failureName(reason, code))).toEqual({ reason, code });
  expect(failureOfName('error#of_a_newer_version#7')).toEqual({ reason: 'unknown', code: '7' });
  for (const name of ['failed', 'replies', 'deliveredWithin#0']) expect(failureOfName(name)).toBeUndefined();
});

it('the name of a bucket of delivery times is its largest whole millisecond, and leads back to the bucket', () => {
  expect([zeroBucket, 0, bucketOf(4100)].map(timeName)).toEqual([
    'deliveredWithin#0',
    'deliveredWithin#1',
    'deliveredWithin#4109',
  ]);
  const times = fc.oneof(
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 0, max: 30 * 86_400_000 }),
    fc.nat(Date.UTC(9999, 11, 31)),
  );
  assertProperty(
    fc.property(times, (ms) => {
      const name = timeName(bucketOf(ms));
      expect(bucketOfName(name)).toBe(bucketOf(ms));
      const last = Number(name.slice('deliveredWithin#'.length));
      expect(last).toBeGreaterThanOrEqual(ms);
      expect(bucketOf(last + 1)).toBeGreaterThan(bucketOf(ms));
    }),
  );
  expect(bucketOfName('delivered')).toBeUndefined();
});

it('an item with every count that there can be is smaller than DynamoDB accepts', () => {
  const codes = [
    '',
    otherCode,
    ...Array.from({ length: maxCodes }, (_, index) => String(index).padStart(12, '0')),
  ];
  const times = new Set(
    Array.from({ length: bucketOf(Date.UTC(9999, 11, 31)) + 2 }, (_, index) => timeName(index - 1)),
  );
  const names = [
    ...statusNames,
    'replies',
    'optOuts',
    ...canonicalErrorReasons.flatMap((reason) => codes.map((code) => failureName(reason, code))),
    ...times,
  ];
  // A number has a byte for two digits and one more (Amazon DynamoDB Developer Guide, "DynamoDB Item sizes and formats").
  const numberBytes = 1 + Math.ceil(String(Number.MAX_SAFE_INTEGER).length / 2);
  const countBytes = names.reduce((sum, name) => sum + name.length + numberBytes, 0);
  // The keys have at most 3 KB, and the id of a send at most as much.
  expect(countBytes + 2 * 3072).toBeLessThan(400 * 1024);
});

it('the codes of a tally are those that are not empty', () => {
  const names = [failureName('unknown', '30003'), failureName('spam', ''), failureName('spam', 'e#1')];
  expect(
    codesOf({ ...Object.fromEntries(names.map((name) => [name, 1])), failed: 3, 'deliveredWithin#1': 1 }),
  ).toEqual(['30003', 'e#1']);
});

it('codes count under * when as many as possible have counts of their own', () => {
  const known = Array.from({ length: maxCodes }, (_, index) => `c${index}`);
  const tally = {
    'error#unknown#c1': 1,
    'error#unknown#new': 2,
    'error#unknown#*': 3,
    'error#spam#new': -1,
    'error#spam#*': 1,
    'error#unknown#': 4,
    failed: 10,
  };
  expect(codeNames(new Set(known))(tally)).toEqual({
    'error#unknown#c1': 1,
    'error#unknown#*': 5,
    'error#unknown#': 4,
    failed: 10,
  });
  expect(codeNames(new Set(known.slice(1)))(tally)).toEqual(tally);
});
