import { expect, it } from 'vitest';
import {
  type Cohort,
  cohortKey,
  cohortOfKey,
  dayMs,
  quarterMs,
  startOf,
  waitingRepliesKey,
} from '../../../../../functions/insights/counters/cohort.ts';

const time = Date.parse('2026-01-15T12:34:56.789Z');

it('the key of a cohort names its time, its country, and its source unless that is main', () => {
  const place = { country: 'BR', source: 'main' };
  expect(cohortKey({ kind: 'quarter', start: startOf(time, quarterMs), ...place })).toEqual({
    pk: 'quarter-hours#2026-01-15',
    sk: '12:30#BR',
  });
  expect(cohortKey({ kind: 'day', start: startOf(time, dayMs), ...place })).toEqual({
    pk: 'days#2026-01',
    sk: '2026-01-15#BR',
  });
  expect(cohortKey({ kind: 'day', start: startOf(time, dayMs), country: 'BR', source: 'backup' })).toEqual({
    pk: 'days#2026-01',
    sk: '2026-01-15#BR#backup',
  });
  expect(cohortKey({ kind: 'send', sendId: 'spring' })).toEqual({ pk: 'send#spring', sk: 'figures' });
});

it('the key of a long id has its hash', () => {
  const sendId = 'x'.repeat(3000);
  expect(cohortKey({ kind: 'send', sendId }).pk).toMatch(/^send#sha256:[\da-f]{64}$/);
  expect(waitingRepliesKey(sendId).pk).toMatch(/^waiting-replies#sha256:/);
});

it('a cohort can be read from its key', () => {
  const cohorts: Cohort[] = [
    { kind: 'quarter', start: startOf(time, quarterMs), country: 'BR', source: 'backup' },
    { kind: 'day', start: startOf(time, dayMs), country: 'ZZ', source: 'main' },
    { kind: 'send', sendId: 'spring' },
  ];
  expect(cohorts.map((cohort) => cohortOfKey(cohortKey(cohort), 'spring'))).toEqual(cohorts);
  const long = { kind: 'send', sendId: 'x'.repeat(3000) } as const;
  expect(cohortOfKey(cohortKey(long), long.sendId)).toEqual(long);
  expect(cohortOfKey(waitingRepliesKey('m'), undefined)).toBeUndefined();
});
