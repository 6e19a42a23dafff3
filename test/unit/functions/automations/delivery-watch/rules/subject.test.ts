import { describe, expect, it } from 'vitest';
import { horizonsMs } from '../../../../../../functions/automations/delivery-watch/rules/same-hours.ts';
import {
  partOf,
  type Subject,
  subjectKey,
  subjectOfKey,
  subjectsOf,
  usualHorizon,
} from '../../../../../../functions/automations/delivery-watch/rules/subject.ts';
import { quarterCounters, quarterOf } from '../../../../../support/quarter-counters.ts';

const french = new Map([['FR', quarterCounters({ reason: 'spam' })]]);
const german = new Map([['DE', quarterCounters({ reason: 'blocked' })]]);
const quarter = quarterOf({ main: new Map([...french, ...german]) });
const ofTwo = quarterOf({ main: french, backup: german });

describe('subjects', () => {
  it('are all messages, each country and each reason', () => {
    expect(subjectsOf([quarter], [quarter]).map(subjectKey)).toEqual([
      'all',
      'country:DE',
      'country:FR',
      'reason:blocked',
      'reason:spam',
    ]);
  });

  it('are sources too if there are several, now or in the past', () => {
    const sources = (present: typeof quarter, past: typeof quarter) =>
      subjectsOf([present], [past])
        .map(subjectKey)
        .filter((key) => key.startsWith('source:'));
    expect(sources(quarter, quarter)).toEqual([]);
    expect(sources(ofTwo, quarter)).toEqual(['source:backup', 'source:main']);
    expect(sources(quarter, ofTwo)).toEqual(['source:main']);
  });

  it('are read from their keys', () => {
    const subjects: Subject[] = [
      { kind: 'all' },
      { kind: 'country', country: 'DE' },
      { kind: 'source', source: 'backup' },
      { kind: 'reason', reason: 'a:b' },
    ];
    expect(subjects.map((subject) => subjectOfKey(subjectKey(subject)))).toEqual(subjects);
  });

  it('are about their part of the messages; a reason is about all', () => {
    expect([...partOf({ kind: 'country', country: 'DE' }, quarter).keys()]).toEqual(['DE']);
    expect(partOf({ kind: 'country', country: 'US' }, quarter).size).toBe(0);
    expect(partOf({ kind: 'reason', reason: 'spam' }, quarter).size).toBe(2);
    expect(partOf({ kind: 'source', source: 'backup' }, ofTwo)).toEqual(german);
    expect(partOf({ kind: 'source', source: 'third' }, ofTwo).size).toBe(0);
  });
});

describe('the usual horizon', () => {
  const past = (seconds: number) => [new Map([['DE', quarterCounters({ seconds })]])];

  it('is the shortest one within which nine of ten deliveries are', () => {
    expect(usualHorizon(past(6))).toBe(0);
    expect(usualHorizon(past(300))).toBe(1);
  });

  it('is the longest one where deliveries are slower than all', () => {
    expect(usualHorizon(past(100_000))).toBe(horizonsMs.length - 1);
  });

  it('is the shortest one without history', () => {
    expect(usualHorizon([])).toBe(0);
  });
});
