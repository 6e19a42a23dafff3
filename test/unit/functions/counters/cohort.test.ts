import { expect, it } from 'vitest';
import {
  cohortKey,
  dayMs,
  quarterMs,
  sendPrefix,
  startOf,
  waitingRepliesKey,
} from '../../../../functions/counters/cohort.ts';

const time = Date.parse('2026-01-15T12:34:56.789Z');

it('the key of a cohort names its generation, its time and its country', () => {
  const country = 'BR';
  expect(cohortKey('1', { kind: 'quarter', start: startOf(time, quarterMs), country })).toEqual({
    pk: '1#q#2026-01-15',
    sk: '12:30#BR',
  });
  expect(cohortKey('2', { kind: 'day', start: startOf(time, dayMs), country })).toEqual({
    pk: '2#d#2026-01',
    sk: '2026-01-15#BR',
  });
  expect(cohortKey('1', { kind: 'send', sendId: 'spring' })).toEqual({ pk: '1#s#spring', sk: '-' });
});

it('the key of a long id has its hash', () => {
  const sendId = 'x'.repeat(3000);
  expect(cohortKey('1', { kind: 'send', sendId }).pk).toMatch(/^1#s#sha256:[\da-f]{64}$/);
  expect(waitingRepliesKey('1', sendId).pk).toMatch(/^1#m#sha256:/);
  expect(sendPrefix('1')).toBe('1#s#');
});
