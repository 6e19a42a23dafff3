import { describe, expect, it } from 'vitest';
import {
  type CountedQuarters,
  quarterMs,
} from '../../../../../../functions/automations/delivery-watch/rules/counters.ts';
import type { SendPart } from '../../../../../../functions/automations/delivery-watch/rules/one-send.ts';
import {
  rangeToJudge,
  sameHoursOfDays,
  sameHoursOfWeeks,
} from '../../../../../../functions/automations/delivery-watch/rules/same-hours.ts';
import { subjectKey } from '../../../../../../functions/automations/delivery-watch/rules/subject.ts';
import {
  type WatchState,
  watchQuarter,
} from '../../../../../../functions/automations/delivery-watch/rules/watch-quarter.ts';
import {
  countedQuarters,
  type QuarterTraits,
  quarterCounters,
  quarterOf,
} from '../../../../../support/quarter-counters.ts';

const first = Date.parse('2026-11-23T10:00:00Z');
const usual = { DE: {}, FR: { rate: 0.92, seconds: 9, reason: 'spam' } };

/** The past varies a little, as real traffic does. */
const varied = (index: number) => ({
  DE: { rate: 0.95 + 0.005 * ((index % 5) - 2), seconds: 6 + 0.2 * ((index % 3) - 1) },
  FR: { rate: 0.92 + 0.005 * ((index % 4) - 1.5), seconds: 9 + 0.2 * ((index % 3) - 1), reason: 'spam' },
});

function countersAt(
  quarter: number,
  present: Readonly<Record<string, QuarterTraits>>,
  history = sameHoursOfWeeks(quarter),
): CountedQuarters {
  return new Map([
    ...countedQuarters(history, varied),
    ...countedQuarters([rangeToJudge(quarter)], () => present),
  ]);
}

/** Judges quarter hours one after the other. @returns the changes of each */
function watchAll(
  quarters: readonly Readonly<Record<string, QuarterTraits>>[],
  start: WatchState = new Map(),
) {
  let state = start;
  const changes = quarters.map((present, index) => {
    const quarter = first + index * quarterMs;
    const watched = watchQuarter(quarter, countersAt(quarter, present), state);
    state = watched.state;
    return watched.changes;
  });
  return { state, changes };
}
const named = (changes: ReturnType<typeof watchAll>['changes']) =>
  changes.map((each) => each.map(({ kind, subject }) => `${subjectKey(subject)} ${kind}`));

describe('the watch of a quarter hour', () => {
  it('has nothing to say about usual traffic, and remembers nothing', () => {
    const { changes, state } = watchAll([usual, usual, usual]);
    expect(changes.flat()).toEqual([]);
    expect(state.size).toBe(0);
  });

  it('reports once that a country is degraded, and once that it recovered', () => {
    const bad = { ...usual, DE: { rate: 0.6 } };
    const { changes } = watchAll([usual, bad, bad, bad, usual, usual, usual, usual, usual]);
    const ofCountry = named(changes).map((each) => each.filter((name) => name.startsWith('country:')));
    expect(ofCountry).toEqual([
      [],
      ['country:DE degraded'],
      [],
      [],
      [],
      [],
      [],
      ['country:DE recovered'],
      [],
    ]);
    const [degraded, recovered] = changes.flat().filter(({ subject }) => subject.kind === 'country');
    expect(degraded).toMatchObject({
      since: first + quarterMs,
      findings: [
        { signal: 'delivery-rate', figure: 0.6, messages: 400, comparedWith: 'weeks', quarters: 36 },
      ],
    });
    expect(degraded?.findings[0]?.usual).toBeCloseTo(0.95, 2);
    expect(recovered?.since).toBe(degraded?.since);
  });

  it('reports a doubled time to delivery, and a reason that rises', () => {
    const slow = watchAll([{ ...usual, DE: { seconds: 12 } }]).changes;
    expect(named(slow)[0]).toContain('country:DE degraded');
    expect(slow.flat().map(({ findings }) => findings[0]?.signal)).toContain('time-to-delivery');
    const rising = watchAll([{ DE: { rate: 0.89, reason: 'spam' }, FR: usual.FR }]).changes;
    expect(named(rising)[0]).toContain('reason:spam degraded');
  });

  it('gives no verdict on little traffic', () => {
    const { changes } = watchAll([{ DE: { messages: 30, rate: 0.2 } }]);
    expect(changes.flat()).toEqual([]);
  });

  it('compares with the days before while the weeks have too little history, and says so', () => {
    const bad = { ...usual, DE: { rate: 0.6 } };
    const byDays = watchQuarter(first, countersAt(first, bad, sameHoursOfDays(first)), new Map());
    expect(byDays.lacksHistory).toBe(true);
    expect(byDays.findings.get('country:DE')?.[0]?.comparedWith).toBe('days');
    expect(byDays.changes.map(({ subject }) => subjectKey(subject))).toContain('country:DE');
    const withoutHistory = watchQuarter(first, countersAt(first, bad, []), new Map());
    expect(withoutHistory).toMatchObject({ changes: [], lacksHistory: true });
  });

  it('takes a degraded country without messages for recovered after a day', () => {
    const degraded = watchAll([{ ...usual, DE: { rate: 0.6 } }]).state;
    const silent = Array.from({ length: 96 }, () => ({ FR: usual.FR }));
    const { changes } = watchAll(silent, degraded);
    const ends = changes.flatMap((each, index) =>
      each
        .filter(({ subject }) => subjectKey(subject) === 'country:DE')
        .map((change) => ({ index, ...change })),
    );
    expect(ends).toMatchObject([{ index: 95, kind: 'recovered', findings: [] }]);
  });
});

describe('the watch of a quarter hour with one large send', () => {
  /** Judges quarter hours, in each of which the send has such messages to Germany. */
  function watchSend(quarters: readonly { readonly DE: QuarterTraits; readonly send: QuarterTraits }[]) {
    let state: WatchState = new Map();
    return quarters.map(({ DE, send }, index) => {
      const quarter = first + index * quarterMs;
      const counted = countersAt(quarter, { ...usual, DE });
      const part: SendPart = {
        sendId: 'spring',
        quarter,
        counters: quarterOf({ main: new Map([['DE', quarterCounters(send)]]) }),
      };
      const watched = watchQuarter(quarter, counted, state, [part]);
      state = watched.state;
      return {
        ...watched,
        germany: watched.changes.filter(({ subject }) => subjectKey(subject) === 'country:DE'),
      };
    });
  }

  it('blames the send where the other messages are as usual, with the figures of the send', () => {
    const [watched] = watchSend([{ DE: { rate: 0.725 }, send: { messages: 200, rate: 0.5 } }]);
    expect(watched?.changes).toEqual([]);
    expect(watched?.badSends.find(({ subject }) => subject.kind === 'country')).toMatchObject({
      sendId: 'spring',
      since: first,
      findings: [{ signal: 'delivery-rate', figure: 0.5, messages: 200 }],
    });
    expect(watched?.state.get('country:DE')?.degradedSince).toBeUndefined();
  });

  it('blames a send that is delivered slowly', () => {
    const slow = quarterCounters({ messages: 300, seconds: 60 });
    const others = quarterCounters({ messages: 100, seconds: 6 });
    const both = {
      messages: 400,
      delivered: slow.delivered + others.delivered,
      deliveries: [...others.deliveries, ...slow.deliveries],
      failures: new Map([['unreachable', 20]]),
    };
    const counted = new Map([
      ...countersAt(first, usual),
      [first, quarterOf({ main: new Map([['DE', both]]) })],
    ]);
    const part: SendPart = {
      sendId: 'spring',
      quarter: first,
      counters: quarterOf({ main: new Map([['DE', slow]]) }),
    };
    const alone = watchQuarter(first, counted, new Map());
    expect(named([alone.changes])[0]).toContain('country:DE degraded');
    const watched = watchQuarter(first, counted, new Map(), [part]);
    expect(watched.changes).toEqual([]);
    expect(watched.badSends[0]?.findings).toMatchObject([{ signal: 'time-to-delivery', messages: 285 }]);
  });

  it('reports the country where the other messages are as bad, however large the send is', () => {
    const [watched] = watchSend([{ DE: { rate: 0.6 }, send: { messages: 320, rate: 0.6 } }]);
    expect(watched?.germany).toMatchObject([{ kind: 'degraded' }]);
    expect(watched?.badSends).toEqual([]);
  });

  it('waits a quarter hour where the send has nearly all messages, then reports the country', () => {
    const bad = { DE: { rate: 0.6 }, send: { messages: 380, rate: 0.6 } };
    const watched = watchSend([bad, bad]);
    expect(watched.map(({ germany }) => germany.map(({ kind }) => kind))).toEqual([[], ['degraded']]);
    expect(watched.flatMap(({ badSends }) => badSends)).toEqual([]);
  });

  it('forgets that it waited when the country is as usual again', () => {
    const bad = { DE: { rate: 0.6 }, send: { messages: 380, rate: 0.6 } };
    const [, second] = watchSend([bad, { DE: {}, send: { messages: 100 } }]);
    expect(second?.germany).toEqual([]);
    expect(second?.state.get('country:DE')?.held).toBeUndefined();
  });
});
