import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses, rankOf, unmappedRank } from '../../../../contract/schema/sms-event.ts';
import { type Message, type StatusEntry, staleEventId } from '../../../../functions/history/message.ts';
import type { Change } from '../../../../functions/publisher/history-events.ts';
import { itemKinds } from '../../../../functions/publisher/item-kinds.ts';
import { type Count, metricNames } from '../../../../functions/runtime/metrics.ts';
import { recorder } from '../../../../tools/support/recorder.ts';
import { assertProperty } from '../../../support/property.ts';

const at = '2026-01-15T12:00:05.000Z';

function entry(eventId: string, status: string): StatusEntry {
  const canonical = canonicalStatuses.find((known) => known === status);
  const rank = canonical === undefined ? unmappedRank : rankOf(canonical);
  return { eventId, status, rank, occurredAt: at, receivedAt: at };
}

function message(...statuses: readonly string[]): Message {
  const events = statuses.map((status, index) => [`e${index}`, entry(`e${index}`, status)] as const);
  return { messageId: 'm', firstSeenAt: at, events: new Map(events) };
}

const countChange = (change: Change<Message>, count: Count) =>
  itemKinds.find(({ prefix }) => prefix === 'message#')?.count?.(change, count);

/** Counts a write that added to what was there. */
function counted(before: readonly string[], added: readonly string[]) {
  const { count, counts } = recorder();
  const was = before.length === 0 ? undefined : message(...before);
  countChange({ before: was, after: message(...before, ...added) }, count);
  return Object.fromEntries(counts);
}

describe('a write to history is counted', () => {
  it.each([
    ['a first report', [], ['sent'], { reportsSent: 1 }],
    ['reports in one write', [], ['queued', 'sent'], { reportsQueued: 1, reportsSent: 1 }],
    ['a report that decides', ['sent'], ['delivered'], { reportsDelivered: 1 }],
    ['a report that came too late', ['delivered'], ['sent'], { reportsSent: 1, superseded: 1 }],
    [
      'a contradiction, whichever came first',
      ['delivered'],
      ['failed'],
      { reportsFailed: 1, superseded: 1, conflicting: 1 },
    ],
    ['a contradiction', ['failed'], ['delivered'], { reportsDelivered: 1, conflicting: 1 }],
    ['one contradiction once', ['failed', 'delivered'], ['read'], { reportsRead: 1 }],
    ['a repeat', ['sent'], [], {}],
  ] as const)('%s', (_, before, added, expected) => {
    expect(counted(before, added)).toEqual(expected);
  });

  it('as contradictory if the content of a report changes', () => {
    const { count, counts } = recorder();
    const before = message('delivered', 'sent');
    const after = { ...before, events: new Map([...before.events, ['e1', entry('e1', 'failed')]]) };
    countChange({ before, after }, count);
    expect(Object.fromEntries(counts)).toEqual({ conflicting: 1 });
  });

  it('without the mark of the sweep, which is not a report of the service', () => {
    const { count, counts } = recorder();
    const before = message('sent');
    const events = new Map([...before.events, [staleEventId, entry(staleEventId, 'unknown')]]);
    const marked = { ...before, events };
    countChange({ before, after: marked }, count);
    expect(Object.fromEntries(counts)).toEqual({});
    const late = { ...marked, events: new Map([...events, ['late', entry('late', 'unknown')]]) };
    countChange({ before, after: late }, count);
    expect(Object.fromEntries(counts)).toEqual({ reportsUnknown: 1 });
  });

  it('under a name of the catalogue for any word of the service', () => {
    assertProperty(
      fc.property(fc.string(), (word) => {
        const names = Object.keys(counted([], [word]));
        expect(names).toHaveLength(1);
        expect(Object.keys(metricNames)).toContain(names[0]);
      }),
    );
    expect(counted([], ['constructor', '__proto__', '+12025550143'])).toEqual({ reportsUnmapped: 3 });
  });

  it('has a metric for each canonical status', () => {
    const metrics = canonicalStatuses.flatMap((status) => Object.keys(counted([], [status])));
    expect(new Set(metrics).size).toBe(canonicalStatuses.length);
    expect(metrics).not.toContain('reportsUnmapped');
  });
});
