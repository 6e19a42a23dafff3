import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../../../functions/automations/delivery-watch/rules/finding.ts';
import {
  blameSend,
  countriesOf,
  largeSends,
  type SendPart,
  withoutSend,
} from '../../../../../../functions/automations/delivery-watch/rules/one-send.ts';
import type { Subject } from '../../../../../../functions/automations/delivery-watch/rules/subject.ts';
import { quarterCounters, quarterOf } from '../../../../../support/quarter-counters.ts';

const quarter = Date.parse('2026-11-23T10:00:00Z');
const sent = (messages: number, country = 'DE') =>
  new Map([[country, quarterCounters({ messages, rate: 0.5 })]]);

describe('the rest of a quarter hour', () => {
  const whole = new Map([
    ['DE', quarterCounters({ messages: 400, rate: 0.7 })],
    ['FR', quarterCounters({ messages: 100 })],
  ]);

  it('has the other messages, with their outcomes and times', () => {
    const rest = withoutSend(whole, sent(200)).get('DE');
    expect(rest).toMatchObject({ messages: 200, delivered: 180, failures: new Map([['unreachable', 20]]) });
    expect(rest?.deliveries.map(({ messages }) => messages)).toEqual([45, 90, 45]);
    expect(withoutSend(whole, sent(200)).get('FR')).toEqual(whole.get('FR'));
  });

  it('has no country of which the send has all messages, and no count below zero', () => {
    expect([...withoutSend(whole, sent(400)).keys()]).toEqual(['FR']);
    expect(withoutSend(whole, sent(399)).get('DE')?.failures.get('unreachable')).toBe(0);
  });

  it('and the countries of the send can be told apart', () => {
    expect([...countriesOf(sent(10), whole).keys()]).toEqual(['DE']);
  });
});

describe('a send is looked at', () => {
  const german = { kind: 'country', country: 'DE' } as const;
  const counted = new Map([[quarter, quarterOf({ main: sent(400), backup: sent(400, 'FR') })]]);
  const part = (counters: SendPart['counters'], start = quarter): SendPart => ({
    sendId: 'spring',
    quarter: start,
    counters,
  });
  const looked = (subject: Subject, ...parts: SendPart[]) =>
    largeSends(subject, parts, counted, new Set([quarter])).map(({ sendId }) => sendId);

  it('where it has a quarter of the messages of the subject', () => {
    expect(looked(german, part(quarterOf({ main: sent(100) })))).toEqual(['spring']);
    expect(looked(german, part(quarterOf({ main: sent(99) })))).toEqual([]);
    expect(looked(german, part(quarterOf({ main: sent(100, 'FR') })))).toEqual([]);
    expect(looked(german, part(quarterOf({ main: sent(100) }), quarter + 900_000))).toEqual([]);
  });

  it('for a source if it is of this source', () => {
    const main = { kind: 'source', source: 'main' } as const;
    expect(looked(main, part(quarterOf({ main: sent(100) })))).toEqual(['spring']);
    expect(looked(main, part(quarterOf({ backup: sent(100) })))).toEqual([]);
  });
});

describe('a send', () => {
  const finding = (distance: number, chance: number): Finding => ({
    signal: 'delivery-rate',
    figure: 0.8,
    usual: 0.9,
    score: 5,
    distance,
    chance,
    messages: 400,
    quarter,
    comparedWith: 'weeks',
    quarters: 36,
  });
  const whole = [finding(0.3, 0.02)];

  it.each([
    ['is blamed where the others are as usual', [finding(0.02, 0.05)], 'yes'],
    ['is not blamed where the others are as bad', [finding(0.3, 0.05)], 'no'],
    ['may be to blame where chance moves the others as far', [finding(0.02, 0.2)], 'unclear'],
    ['may be to blame where the others are too few for a verdict', [], 'unclear'],
  ] as const)('%s', (_, rest, expected) => {
    expect(blameSend(whole, rest)).toBe(expected);
  });
});
