import { expect, it } from 'vitest';
import { canonicalErrorReasons } from '../../../../contract/schema/sms-event.ts';
import {
  bucketOfName,
  codeNames,
  codesOf,
  failureName,
  letterOf,
  maxCodes,
  reasonOf,
  timeName,
} from '../../../../functions/counters/count-names.ts';
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

it('a code is the rest of a name, and may be empty', () => {
  const names = [failureName('unknown', '30003'), failureName('spam', ''), failureName('spam', 'e#1')];
  expect(codesOf({ ...Object.fromEntries(names.map((name) => [name, 1])), sf: 3, h1: 1 })).toEqual([
    '30003',
    'e#1',
  ]);
});

it('codes count under * when as many as possible have counts of their own', () => {
  const known = Array.from({ length: maxCodes }, (_, index) => `c${index}`);
  const tally = { 'ek#c1': 1, 'ek#new': 2, 'ek#*': 3, 'es#new': -1, 'es#*': 1, 'ek#': 4, sf: 10 };
  expect(codeNames(new Set(known))(tally)).toEqual({ 'ek#c1': 1, 'ek#*': 5, 'ek#': 4, sf: 10 });
  expect(codeNames(new Set(known.slice(1)))(tally)).toEqual(tally);
});
