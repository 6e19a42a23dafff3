import { describe, expect, it } from 'vitest';
import {
  type CountedQuarter,
  type CountedQuarters,
  quarterMs,
} from '../../../../../../functions/automations/delivery-watch/rules/counters.ts';
import type { SendPart } from '../../../../../../functions/automations/delivery-watch/rules/one-send.ts';
import {
  quartersOf,
  rangeToJudge,
  sameHoursOfDays,
  sameHoursOfWeeks,
} from '../../../../../../functions/automations/delivery-watch/rules/same-hours.ts';
import { subjectKey } from '../../../../../../functions/automations/delivery-watch/rules/subject.ts';
import {
  type SubjectChange,
  type WatchState,
  watchQuarter,
} from '../../../../../../functions/automations/delivery-watch/rules/watch-quarter.ts';
import {
  countersOf,
  type QuarterTraits,
  quarterCounters,
  quarterOf,
  type TraitsByCountry,
} from '../../../../../support/quarter-counters.ts';

const first = Date.parse('2026-11-23T10:00:00Z');

/** Traits by source, then by country. */
type TraitsBySource = Readonly<Record<string, TraitsByCountry>>;

const quarterWith = (sources: TraitsBySource): CountedQuarter =>
  quarterOf(
    Object.fromEntries(Object.entries(sources).map(([source, traits]) => [source, countersOf(traits)])),
  );

/** The past varies a little, as real traffic does. */
const wobble = (index: number, { rate = 0.95, seconds = 6, ...traits }: QuarterTraits = {}) => ({
  ...traits,
  rate: rate + 0.004 * ((index % 5) - 2),
  seconds: seconds * (1 + 0.03 * ((index % 3) - 1)),
});

const inGermany = (traits: Readonly<Record<string, QuarterTraits>>): TraitsBySource =>
  Object.fromEntries(Object.entries(traits).map(([source, each]) => [source, { DE: each }]));

/** Makes the hours of the past that the first quarter hour and those after it are compared with. @param traits of Germany by source */
function pastOf(traits: Readonly<Record<string, QuarterTraits>>, days = sameHoursOfWeeks): CountedQuarters {
  return new Map(
    quartersOf(days(first).map(({ from, to }) => ({ from, to: to + 12 * quarterMs }))).map((start, index) => [
      start,
      quarterWith(
        inGermany(
          Object.fromEntries(Object.entries(traits).map(([source, each]) => [source, wobble(index, each)])),
        ),
      ),
    ]),
  );
}

const usualPast = pastOf({ main: {}, backup: {} });

/** Judges quarter hours one after the other. Those before the first are like it. @returns what was found in each */
function watchAll(
  quarters: readonly TraitsBySource[],
  {
    past = usualPast,
    start = new Map(),
    sends = [],
  }: {
    readonly past?: CountedQuarters;
    readonly start?: WatchState;
    readonly sends?: readonly SendPart[];
  } = {},
) {
  const [before = {}] = quarters;
  const counted = new Map(past);
  for (const quarter of quartersOf([rangeToJudge(first)])) counted.set(quarter, quarterWith(before));
  for (const [index, each] of quarters.entries()) counted.set(first + index * quarterMs, quarterWith(each));
  let state = start;
  const watched = quarters.map((_, index) => {
    const found = watchQuarter(first + index * quarterMs, counted, state, sends);
    state = found.state;
    return found;
  });
  return { watched, state, changes: watched.map(({ changes }) => changes) };
}

const ofSources = (changes: readonly (readonly SubjectChange[])[]) =>
  changes.map((each) =>
    each
      .filter(({ subject }) => subject.kind === 'source')
      .map(({ kind, subject }) => `${subjectKey(subject)} ${kind}`),
  );

/** A quarter of the messages take the doubled time. */
const slowSeconds = 200;

describe('the watch of several sources', () => {
  const usual = inGermany({ main: {}, backup: {} });

  it('has nothing to say about usual traffic, and remembers nothing', () => {
    const { changes, state } = watchAll([usual, usual, usual]);
    expect(changes.flat()).toEqual([]);
    expect(state.size).toBe(0);
  });

  it('reports once that a source is degraded against its own past, and once that it recovered', () => {
    const bad = inGermany({ main: {}, backup: { rate: 0.6 } });
    const { changes } = watchAll([usual, bad, bad, usual, usual, usual, usual, usual]);
    expect(ofSources(changes)).toEqual([
      [],
      ['source:backup degraded'],
      [],
      [],
      [],
      [],
      ['source:backup recovered'],
      [],
    ]);
    const [degraded, recovered] = changes.flat().filter(({ subject }) => subject.kind === 'source');
    expect(degraded).toMatchObject({
      since: first + quarterMs,
      findings: [{ signal: 'delivery-rate', figure: 0.6, messages: 400, comparedWith: 'weeks' }],
      otherSources: [{ source: 'main', messages: 400, deliveryRate: 0.95, slowShare: undefined }],
    });
    expect(recovered?.since).toBe(degraded?.since);
  });

  it('does not blame a source for a country to which it sends more than others', () => {
    const past = new Map(
      [...usualPast].map(([start], index) => [
        start,
        quarterWith({
          main: { DE: wobble(index), NG: wobble(index, { messages: 100, rate: 0.7 }) },
          backup: { DE: wobble(index), NG: wobble(index, { messages: 100, rate: 0.7 }) },
        }),
      ]),
    );
    const moved = {
      main: { DE: {}, NG: { messages: 100, rate: 0.7 } },
      backup: { DE: { messages: 100 }, NG: { messages: 600, rate: 0.7 } },
    };
    expect(ofSources(watchAll([moved, moved, moved], { past }).changes).flat()).toEqual([]);
  });

  it('never judges the only source of a pipeline, however slow it is', () => {
    const past = pastOf({ main: {} });
    const slow = inGermany({ main: { rate: 0.6, seconds: 900 } });
    const { watched, state } = watchAll([slow, slow, slow], { past });
    expect([...state.keys()].filter((key) => key.startsWith('source:'))).toEqual([]);
    expect(watched.flatMap(({ changes }) => changes.map(({ subject }) => subject.kind))).not.toContain(
      'source',
    );
  });

  it('judges the first source against its past from before the second', () => {
    const bad = inGermany({ main: { rate: 0.6 }, backup: { messages: 50 } });
    const { changes } = watchAll([bad], { past: pastOf({ main: {} }) });
    expect(ofSources(changes)).toEqual([['source:main degraded']]);
  });

  it('ends the incident of a source that is the only one by then', () => {
    const { state } = watchAll([inGermany({ main: { rate: 0.6 }, backup: {} })]);
    const only = inGermany({ main: {} });
    const { changes } = watchAll([only, only, only, only], { past: pastOf({ main: {} }), start: state });
    expect(ofSources(changes).flat()).toEqual(['source:main recovered']);
  });
});

describe('the limit for slow messages of a source', () => {
  const slow = inGermany({ main: {}, backup: { seconds: slowSeconds } });
  const usual = inGermany({ main: {}, backup: {} });

  it('finds a new source slow on its first day, where 15 % of its messages took longer than five minutes', () => {
    const { changes } = watchAll([slow], { past: pastOf({ main: {} }) });
    expect(ofSources(changes)).toEqual([['source:backup degraded']]);
    const [degraded] = changes.flat().filter(({ subject }) => subject.kind === 'source');
    expect(degraded).toMatchObject({
      // Messages of the newest quarter hour may be younger than five minutes.
      since: first - quarterMs,
      findings: [{ signal: 'slow-share', messages: 380, comparedWith: 'limit', quarters: 0 }],
      otherSources: [{ source: 'main', messages: 400, slowShare: 0, medianDeliveryMs: 6000 }],
    });
    expect(degraded?.findings[0]?.figure).toBeCloseTo(0.25, 2);
  });

  it('counts messages without an outcome as slow, and not those that failed', () => {
    const of = (open: number, failed: number) => ({
      ...quarterCounters({ messages: 400 - open - failed, rate: 1 }),
      messages: 400,
      failures: new Map([['spam', failed]]),
    });
    const found = (open: number, failed: number) => {
      const counted = new Map([
        ...pastOf({ main: {} }),
        ...quartersOf([rangeToJudge(first)]).map(
          (start) =>
            [
              start,
              quarterOf({ main: countersOf({ DE: {} }), backup: new Map([['DE', of(open, failed)]]) }),
            ] as const,
        ),
      ]);
      return watchQuarter(first, counted, new Map()).changes.map(({ subject }) => subjectKey(subject));
    };
    expect(found(70, 0)).toContain('source:backup');
    expect(found(0, 70)).not.toContain('source:backup');
    expect(found(50, 0)).not.toContain('source:backup');
  });

  it('needs 40 messages, and more than a few slow ones among them', () => {
    const of = (messages: number) => inGermany({ main: {}, backup: { messages, seconds: slowSeconds } });
    const past = pastOf({ main: {} });
    expect(ofSources(watchAll([of(39), of(39), of(39)], { past }).changes).flat()).toEqual([]);
    // A quarter of 44 is late: chance could do that once, not again and again.
    const late = ofSources(
      watchAll(
        Array.from({ length: 4 }, () => of(44)),
        { past },
      ).changes,
    );
    expect(late.findIndex((each) => each.length > 0)).toBeGreaterThan(0);
  });

  it('ends an incident after four quarter hours below the limit', () => {
    const past = pastOf({ main: {} });
    const { changes } = watchAll([slow, usual, usual, usual, usual, usual, usual], { past });
    expect(ofSources(changes)).toEqual([
      ['source:backup degraded'],
      [],
      [],
      [],
      [],
      ['source:backup recovered'],
      [],
    ]);
  });

  it.each([
    ['weeks', sameHoursOfWeeks],
    ['days', sameHoursOfDays],
  ] as const)('is not for a source whose messages usually are slow, by its last %s', (_, hours) => {
    const past = pastOf({ main: {}, backup: { seconds: slowSeconds } }, hours);
    expect(ofSources(watchAll([slow, slow, slow], { past }).changes).flat()).toEqual([]);
    const worse = inGermany({ main: {}, backup: { seconds: 2 * slowSeconds } });
    const { changes } = watchAll([worse], { past });
    expect(ofSources(changes)).toEqual([['source:backup degraded']]);
    const [degraded] = changes.flat().filter(({ subject }) => subject.kind === 'source');
    expect(degraded?.findings.map(({ signal }) => signal)).not.toContain('slow-share');
  });

  it('ends an incident of a source whose messages are slow for so long that it is usual', () => {
    const { state } = watchAll([slow], { past: pastOf({ main: {} }) });
    const past = pastOf({ main: {}, backup: { seconds: slowSeconds } });
    const { changes } = watchAll([slow, slow, slow, slow], { past, start: state });
    expect(ofSources(changes).flat()).toEqual(['source:backup recovered']);
  });

  it('is not for a source without delivery reports, on its first day and later', () => {
    const silent = inGermany({ main: {}, backup: { rate: 0 } });
    // Its messages have no outcome.
    const without = (quarter: CountedQuarter): CountedQuarter => {
      const { DE } = Object.fromEntries(quarter.sources.get('main') ?? []);
      const open = { messages: 400, delivered: 0, deliveries: [], failures: new Map() };
      return quarterOf({ main: new Map(DE && [['DE', DE]]), backup: new Map([['DE', open]]) });
    };
    for (const past of [pastOf({ main: {} }), pastOf({ main: {}, backup: {} })]) {
      const isNew = past.values().next().value?.sources.size === 1;
      const counted = new Map(
        [...past].map(([start, each]) => [start, isNew ? each : without(each)] as const),
      );
      for (const start of quartersOf([rangeToJudge(first)])) counted.set(start, without(quarterWith(silent)));
      const { changes } = watchQuarter(first, counted, new Map());
      expect(ofSources([changes])).toEqual([[]]);
    }
  });
});

describe('a send that alone makes a source worse', () => {
  const late = quarterCounters({ messages: 200, seconds: 400 });
  const others = quarterCounters({ messages: 200 });
  const both = (): CountedQuarter => {
    const { countries } = quarterOf({ one: new Map([['DE', late]]), two: new Map([['DE', others]]) });
    return quarterOf({ main: countersOf({ DE: {} }), backup: countries });
  };

  /** Judges the quarter hour after one in which the send was. */
  function watchSend(sendId: string, past: CountedQuarters) {
    const start = first - quarterMs;
    const counted = new Map([
      ...past,
      ...quartersOf([rangeToJudge(first)]).map(
        (each) => [each, quarterWith(inGermany({ main: {}, backup: {} }))] as const,
      ),
      [start, both()] as const,
    ]);
    const part: SendPart = {
      sendId,
      quarter: start,
      counters: quarterOf({ [sendId.startsWith('backup/') ? 'backup' : 'main']: new Map([['DE', late]]) }),
    };
    return watchQuarter(first, counted, new Map(), [part]);
  }

  it('is reported in place of the source, with the share of its slow messages', () => {
    const { changes, badSends } = watchSend('backup/spring', pastOf({ main: {} }));
    expect(ofSources([changes])).toEqual([[]]);
    expect(badSends).toMatchObject([
      {
        sendId: 'backup/spring',
        since: first - quarterMs,
        findings: [{ signal: 'slow-share', messages: 190, comparedWith: 'limit' }],
      },
    ]);
  });

  it('is not to blame if it is of another source', () => {
    const { changes, badSends } = watchSend('spring', pastOf({ main: {} }));
    expect(ofSources([changes])).toEqual([['source:backup degraded']]);
    expect(badSends).toEqual([]);
  });

  it('is not reported for its country while all messages of its source are bad', () => {
    const bad = inGermany({ main: {}, backup: { rate: 0.6 } });
    const part: SendPart = {
      sendId: 'backup/spring',
      quarter: first,
      counters: quarterOf({ backup: countersOf({ DE: { messages: 360, rate: 0.6 } }) }),
    };
    const { watched } = watchAll([bad, bad], { sends: [part] });
    expect(ofSources(watched.map(({ changes }) => changes)).flat()).toEqual(['source:backup degraded']);
    expect(watched.flatMap(({ badSends }) => badSends)).toEqual([]);
  });
});
