import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalStatuses,
  failedPartRank,
  outcomeOf,
  rankOf,
  type StatusEvent,
  unmappedRank,
} from '../../../../contract/schema/sms-event.ts';
import {
  compareByTime,
  decidingEntry,
  hasConflict,
  isFinal,
  type Message,
  mergeMessages,
  messageOf,
} from '../../../../functions/history/message.ts';
import { assertProperty } from '../../../support/property.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();

function report(
  eventId: string,
  status: (typeof canonicalStatuses)[number],
  second: number,
  extra: Partial<StatusEvent> = {},
): StatusEvent {
  return {
    kind: 'sms.status',
    eventId,
    messageId: 'm',
    status,
    rank: rankOf(status),
    occurredAt: at(second),
    ...extra,
  };
}

const fold = (arrivals: readonly (readonly [StatusEvent, string])[]): Message =>
  arrivals.map(([event, receivedAt]) => messageOf(event, receivedAt)).reduce(mergeMessages);

/** Arrivals of few events, so that many have several contents, with and without times of their own. */
const arrivals = fc.array(
  fc
    .record({
      eventId: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.stringMatching(/^[a-z0-9]{1,4}$/)),
      status: fc.constantFrom(...canonicalStatuses),
      second: fc.option(fc.nat(3), { nil: undefined }),
      received: fc.nat(5),
      errorCode: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
      cost: fc.constantFrom({}, { price: '0.0079', currency: 'USD' }, { segments: 2 }, { segments: 3 }),
      phone: fc.option(fc.constantFrom('+12025550100', '+12025550101', '(202) 555-0100'), { nil: undefined }),
      sendId: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
    })
    .map(({ eventId, status, second, received, errorCode, cost, phone, sendId }) => {
      const extra = {
        ...cost,
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(phone === undefined ? {} : { phone }),
        ...(sendId === undefined ? {} : { sendId }),
      };
      // A contract without event times uses the time of receipt.
      return [report(eventId, status, second ?? 10 + received, extra), at(10 + received)] as const;
    }),
  { minLength: 1, maxLength: 10 },
);

describe('the fold', () => {
  it('is the same in any order, with any repeats and grouping, also of several contents under one id', () => {
    assertProperty(
      fc.property(
        arrivals.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
            fc.nat(all.length * 2 - 1),
          ),
        ),
        ([all, shuffledRepeats, cut]) => {
          const expected = fold(all);
          const parts = [shuffledRepeats.slice(0, cut), shuffledRepeats.slice(cut)]
            .filter((part) => part.length > 0)
            .map(fold);
          expect(parts.reduce(mergeMessages)).toEqual(expected);
          expect(mergeMessages(expected, expected)).toEqual(expected);
          expect(decidingEntry(parts.reduce(mergeMessages))).toEqual(decidingEntry(expected));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('of copies whose time is that of their receipt keeps the one received first, in any order', () => {
    const copies = [11, 15].map((second) => [report('e', 'failed', second), at(second)] as const);
    for (const order of [copies, copies.toReversed()])
      expect(fold(order)).toMatchObject({
        firstSeenAt: at(11),
        events: new Map([['e', expect.objectContaining({ occurredAt: at(11), receivedAt: at(11) })]]),
      });
  });

  it('of copies with one rank keeps the one with more fields, then the greater content, in any order', () => {
    const texts = [{ errorText: 'b' }, { errorText: 'a', segments: 2 }, { errorText: 'c' }, { segments: 3 }];
    const copies = texts.map((extra) => [report('e', 'failed', 1, extra), at(11)] as const);
    for (const order of [copies, copies.toReversed()])
      expect(fold(order).events.get('e')).toMatchObject({ errorText: 'a', segments: 2 });
    const outranked = [...copies, [report('e', 'delivered', 1), at(11)] as const];
    expect(fold(outranked).events.get('e')).not.toHaveProperty('segments');
  });

  it('keeps the copy that was read more exactly, in any order', () => {
    const doubts: readonly Partial<StatusEvent>[] = [
      {},
      { unread: { price: '0,0075' } },
      { timeIs: 'assumed' },
      { timeIs: 'assumed', unread: { occurredAt: '2026-01-15 12:00', price: '0,0075' } },
      { timeIs: 'received', segments: 2, carrier: 'z' },
    ];
    doubts.forEach((exact, index) => {
      for (const doubtful of doubts.slice(index + 1)) {
        const copies = [exact, doubtful].map((extra) => [report('e', 'failed', 1, extra), at(11)] as const);
        for (const order of [copies, copies.toReversed()]) {
          const { segments, ...kept } = fold(order).events.get('e') ?? {};
          expect(kept).toMatchObject(exact);
          expect(segments).toBe(exact.segments);
        }
      }
    });
  });

  it('of a content does not depend on the order of keys', () => {
    const [one, other] = [
      { price: '0,0075', segments: '-' },
      { segments: '-', price: '0,0075' },
    ].map((unread) => report('e', 'failed', 1, { unread }));
    if (one === undefined || other === undefined) throw new Error('no reports');
    const message = fold([
      [one, at(10)],
      [other, at(20)],
    ]);
    expect(message.events.get('e')?.receivedAt).toBe(at(10));
  });

  it('of a content equals its stored form: half a character is the same as its replacement', () => {
    const [raw, stored] = ['x\ud800', 'x\ufffd'].map((errorText) => report('e', 'failed', 1, { errorText }));
    if (raw === undefined || stored === undefined) throw new Error('no reports');
    for (const [first, second] of [
      [raw, stored],
      [stored, raw],
    ] as const) {
      const message = fold([[first, at(10)], [second, at(20)] as const]);
      expect(message.events.get('e')?.receivedAt).toBe(at(10));
    }
  });

  it('stores each fact of an event once', () => {
    const ofMessage = { phone: '+12025550100', sendId: 's' };
    const ofEvent = { errorCode: '7', errorText: 'x', word: 'FAIL' };
    const entry = {
      eventId: 'e',
      status: 'failed',
      rank: 100,
      occurredAt: at(1),
      receivedAt: at(9),
      ...ofEvent,
    };
    expect(messageOf(report('e', 'failed', 1, { ...ofMessage, ...ofEvent }), at(9))).toEqual({
      messageId: 'm',
      firstSeenAt: at(9),
      ...ofMessage,
      events: new Map([['e', entry]]),
    });
  });

  it('resolves contradicting numbers and send ids to the smaller value', () => {
    const message = fold([
      [report('a', 'sent', 1, { phone: '+12025550101', sendId: 's2' }), at(10)],
      [report('b', 'sent', 1), at(10)],
      [report('c', 'sent', 1, { phone: '+12025550100', sendId: 's1' }), at(10)],
    ]);
    expect(message).toMatchObject({ phone: '+12025550100', sendId: 's1' });
  });
});

describe('the state', () => {
  const state = (...events: StatusEvent[]) =>
    decidingEntry(fold(events.map((event) => [event, at(50)] as const))).eventId;

  it('is decided by rank, then time, then event id', () => {
    expect(state(report('late', 'sent', 9), report('early', 'delivered', 1))).toBe('early');
    expect(state(report('a', 'failed', 1), report('b', 'rejected', 2))).toBe('b');
    expect(state(report('b', 'failed', 1), report('a', 'expired', 1))).toBe('b');
    expect(state(report('a', 'queued', 5), { ...report('z', 'queued', 9), rank: unmappedRank })).toBe('a');
  });

  it.each([
    ['accepted', 10, 'open'],
    ['queued', 20, 'open'],
    ['sent', 30, 'open'],
    ['unknown', 90, 'unknown'],
    ['expired', 100, 'failure'],
    ['rejected', 100, 'failure'],
    ['failed', 100, 'failure'],
    ['undelivered', 100, 'failure'],
    ['delivered', 110, 'success'],
    ['read', 120, 'success'],
  ] as const)('%s has rank %i and outcome %s', (status, rank, outcome) => {
    expect(rankOf(status)).toBe(rank);
    expect(outcomeOf(rank)).toBe(outcome);
    expect(isFinal({ ...report('e', status, 1), receivedAt: at(2) })).toBe(outcome !== 'open');
  });

  it('of a message in parts is failed while a part is, and not once that part was delivered', () => {
    const failed = report('a', 'failed', 1, { partId: 'p1', rank: failedPartRank });
    const other = report('b', 'delivered', 2, { partId: 'p2' });
    const again = report('c', 'delivered', 3, { partId: 'p1' });
    const stateOf = (...reports: StatusEvent[]) =>
      decidingEntry(fold(reports.map((one) => [one, at(10)] as const))).status;
    expect(stateOf(failed, other)).toBe('failed');
    expect(stateOf(other, failed)).toBe('failed');
    for (const order of [
      [failed, other, again],
      [again, other, failed],
    ])
      expect(stateOf(...order)).toBe('delivered');
  });

  it('shows a conflict where a part was delivered and failed, whichever part was delivered last', () => {
    const failed = report('a', 'failed', 1, { partId: 'p1', rank: failedPartRank });
    for (const [first, second] of [
      [2, 3],
      [3, 2],
    ] as const) {
      const own = report('b', 'delivered', first, { partId: 'p1' });
      const other = report('c', 'delivered', second, { partId: 'p2' });
      const reports = [failed, own, other].map((one) => [one, at(10)] as const);
      expect(hasConflict(fold(reports))).toBe(true);
    }
    const delivered = report('c', 'delivered', 2, { partId: 'p2' });
    expect(hasConflict(fold([failed, delivered].map((one) => [one, at(10)] as const)))).toBe(false);
  });

  it('shows a conflict only where success meets failure', () => {
    const conflict = (...statuses: (typeof canonicalStatuses)[number][]) =>
      hasConflict(
        fold(statuses.map((status, index) => [report(`e${index}`, status, index), at(50)] as const)),
      );
    expect(conflict('sent', 'failed', 'delivered')).toBe(true);
    expect(conflict('read', 'expired')).toBe(true);
    expect(conflict('failed', 'expired')).toBe(false);
    expect(conflict('delivered', 'read')).toBe(false);
    expect(conflict('unknown', 'delivered')).toBe(false);
    expect(conflict('unknown', 'failed')).toBe(false);
  });

  it('lists reports as they happened', () => {
    const entries = [
      report('c', 'delivered', 2),
      report('b', 'sent', 2),
      report('a', 'sent', 2),
      report('z', 'read', 1),
    ];
    expect(
      entries
        .map((entry) => ({ ...entry, receivedAt: at(50) }))
        .sort(compareByTime)
        .map(({ eventId }) => eventId),
    ).toEqual(['z', 'a', 'b', 'c']);
  });
});
