import { describe, expect, it } from 'vitest';
import {
  type Finding,
  findingsOf,
  stepOf,
} from '../../../../../../functions/automations/delivery-watch/rules/finding.ts';
import type { Subject } from '../../../../../../functions/automations/delivery-watch/rules/subject.ts';
import { type QuarterTraits, quarterCounters } from '../../../../../support/quarter-counters.ts';

const german: Subject = { kind: 'country', country: 'DE' };
const start = Date.parse('2026-11-23T10:00:00Z');
const at = (traits: QuarterTraits) => new Map([['DE', quarterCounters(traits)]]);
const past = Array.from({ length: 36 }, (_, index) =>
  at({ rate: 0.95 + 0.005 * ((index % 5) - 2), seconds: 6 + 0.2 * ((index % 3) - 1) }),
);
const judge = (traits: QuarterTraits, quarters = past) =>
  findingsOf(german, at(traits), { comparedWith: 'weeks', quarters, late: 0, start });

describe('what a quarter hour says', () => {
  it('is a positive score and distance where fewer are delivered, and where delivery takes longer', () => {
    const found = judge({ rate: 0.6, seconds: 12 });
    expect(found).toMatchObject([
      { signal: 'delivery-rate', figure: 0.6, quarters: 36 },
      { signal: 'time-to-delivery', messages: 240 },
    ]);
    for (const finding of found) {
      if (typeof finding === 'string') throw new Error(finding);
      expect(finding.score).toBeGreaterThan(4);
      expect(finding.distance).toBeGreaterThan(5 * finding.chance);
    }
  });

  it('has a larger part of chance the fewer messages there are', () => {
    const chanceOf = (messages: number) => {
      const [rate] = judge({ messages });
      return typeof rate === 'object' ? rate.chance : Number.NaN;
    };
    expect(chanceOf(100)).toBeCloseTo(2 * chanceOf(400), 2);
  });

  it('is nothing with few messages, or without a past', () => {
    expect(judge({ messages: 39 })).toEqual(['few-messages', 'few-messages']);
    expect(judge({}, past.slice(0, 11))).toEqual(['no-history', 'no-history']);
  });
});

it.each([
  [0.149, 0.02, 'none'],
  [0.15, 0.02, 'large'],
  [0.3, 0.15, 'large'],
  [0.3, 0.16, 'none'],
] as const)('a slow share of %d where %d is usual is an effect that is %s', (figure, usual, effect) => {
  const finding: Finding = {
    signal: 'slow-share',
    figure,
    usual,
    score: 5,
    distance: 0.3,
    chance: 0.02,
    messages: 400,
    quarter: start,
    comparedWith: 'limit',
    quarters: 36,
  };
  expect(stepOf({ kind: 'source', source: 'main' }, finding)).toEqual({ score: 5, effect });
});

it.each([
  [german, 'delivery-rate', 0.94, 'none'],
  [german, 'delivery-rate', 0.92, 'small'],
  [german, 'delivery-rate', 0.89, 'notable'],
  [{ kind: 'all' }, 'delivery-rate', 0.89, 'large'],
  [german, 'delivery-rate', 0.8, 'large'],
  [german, 'time-to-delivery', 1.6, 'large'],
  [{ kind: 'reason', reason: 'spam' }, 'failure-share', 0.97, 'notable'],
] as const)('of %o the %s of %d is an effect that is %s', (subject, signal, figure, effect) => {
  const finding: Finding = {
    signal,
    figure,
    usual: 0.95,
    score: 5,
    distance: 0.3,
    chance: 0.02,
    messages: 400,
    quarter: start,
    comparedWith: 'weeks',
    quarters: 36,
  };
  expect(stepOf(subject, finding)).toEqual({ score: 5, effect });
});
