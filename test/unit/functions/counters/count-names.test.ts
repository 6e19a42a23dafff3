import { expect, it } from 'vitest';
import { canonicalErrorReasons } from '../../../../contract/schema/sms-event.ts';
import { bucketOfName, letterOf, reasonOf, timeName } from '../../../../functions/counters/count-names.ts';
import { bucketOf, zeroBucket } from '../../../../functions/counters/delivery-times.ts';

it('each reason has a letter of its own', () => {
  const letters = canonicalErrorReasons.map(letterOf);
  expect(new Set(letters).size).toBe(canonicalErrorReasons.length);
  expect(letters.map(reasonOf)).toEqual(canonicalErrorReasons);
  expect(reasonOf('?')).toBe('unknown');
});

it('each bucket of delivery times has a name of its own', () => {
  const buckets = [zeroBucket, 0, ...[1, 4100, 86_400_000].map(bucketOf)];
  expect(buckets.map(timeName).map(bucketOfName)).toEqual(buckets);
});
