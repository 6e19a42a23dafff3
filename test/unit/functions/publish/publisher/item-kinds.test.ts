import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DriftDay } from '../../../../../contract/drift/drift-watch.ts';
import { canonicalStatuses, rankOf, unmappedRank } from '../../../../../contract/schema/sms-event.ts';
import { metricNames } from '../../../../../functions/base/metrics.ts';
import { UnreadableItemError } from '../../../../../functions/history/item-keys.ts';
import { type Message, type StatusEntry, staleEventId } from '../../../../../functions/history/message.ts';
import { HistoryRecordError } from '../../../../../functions/history/stream-record.ts';
import type { Change } from '../../../../../functions/publish/publisher/history-events.ts';
import {
  itemKinds,
  publishedPrefixes,
  readChange,
} from '../../../../../functions/publish/publisher/item-kinds.ts';
import { assertProperty } from '../../../../support/property.ts';
import { recorder } from '../../../../support/recorder.ts';
import {
  messageImage,
  messageRecord,
  optOutImage,
  reply,
  replyImage,
  streamRecord,
} from './stream-records.ts';

const at = '2026-01-15T12:00:00.000Z';

it('readChange reads a message before and after the change', () => {
  const change = readChange(messageRecord(1, 'm', 2))?.change as Change<Message>;
  expect(change).toMatchObject({ before: { messageId: 'm' }, after: { firstSeenAt: at } });
  expect([...change.after.events.keys()]).toEqual(['e0', 'e1']);
  expect([...(change.before?.events.values() ?? [])]).toEqual([
    { eventId: 'e0', status: 'accepted', rank: 10, occurredAt: at, receivedAt: at },
  ]);
});

it('readChange reads the write that follows a quiet one', () => {
  const quiet = { ...messageImage('m', 1), quiet: { BOOL: true } };
  const read = readChange(streamRecord(1, 'message#m', messageImage('m', 2), quiet));
  expect(read?.change).toMatchObject({ before: { messageId: 'm' }, after: { messageId: 'm' } });
});

it('readChange reads a reply with its versions', () => {
  const record = streamRecord(1, 'reply#r1', replyImage);
  expect(readChange(record)?.change).toEqual({ before: undefined, after: reply });
});

const mismatch = (word: string) => ({
  M: {
    kind: { S: 'status' },
    field: { S: 'statuses' },
    expected: { S: 'a listed word' },
    found: { S: 'string' },
    word: { S: word },
    shape: { S: '{}' },
    foundAt: { S: at },
  },
});

it('readChange reads the register entry of a number', () => {
  const read = readChange(streamRecord(1, 'optout#x', optOutImage('in'), optOutImage('out')));
  const statement = { phone: '+12025550143', at, by: 'person', replyId: 'r1' };
  expect(read?.change).toEqual({
    before: [{ ...statement, state: 'out' }],
    after: [{ ...statement, state: 'in' }],
  });
});

it('readChange reads the new mismatches of a day', () => {
  const before = { day: { S: '2026-01-15' }, 'mismatch#a': mismatch('held') };
  const read = readChange(
    streamRecord(1, 'drift#2026-01-15', { ...before, 'mismatch#b': mismatch('gone') }, before),
  );
  const change = read?.change as Change<DriftDay>;
  expect([...(change.before?.mismatches.keys() ?? [])]).toEqual(['a']);
  expect(change.after.day).toBe('2026-01-15');
  expect([...change.after.mismatches.values()].map(({ word }) => word)).toEqual(['held', 'gone']);
});

const unreadable = (key: string, image: ReturnType<typeof messageImage>, name: string) => {
  const { [name]: _, ...rest } = image;
  return streamRecord(1, key, rest);
};

it.each([
  ['item: no text in firstSeenAt', unreadable('message#m', messageImage('m', 1), 'firstSeenAt')],
  ['a message without a report', unreadable('message#m', messageImage('m', 1), 'report#e0')],
  ['item: no text in from', unreadable('reply#r1', replyImage, 'from')],
])('readChange rejects an item: %s', (message, record) => {
  expect(() => readChange(record)).toThrow(new UnreadableItemError(message));
});

it.each([
  ['a deletion', streamRecord(1, 'message#m', undefined, messageImage('m', 1), 'REMOVE')],
  ['an item of another kind', streamRecord(1, 'erasure#1', { what: { S: 'x' } })],
  ['a quiet write', streamRecord(1, 'message#m', { ...messageImage('m', 1), quiet: { BOOL: true } })],
])('readChange ignores %s', (_, record) => {
  expect(readChange(record)).toBeUndefined();
});

it.each([
  ['no key', { eventName: 'INSERT' } as const],
  ['no new image', streamRecord(1, 'message#m')],
  [
    'mismatch: no text in kind',
    streamRecord(1, 'drift#x', { day: { S: '2026-01-15' }, 'mismatch#a': { M: {} } }),
  ],
  ['item: state must be one of: out, in', streamRecord(1, 'optout#x', optOutImage('perhaps'))],
  ['item: no list in statements', unreadable('optout#x', optOutImage('out'), 'statements')],
  [
    'a value of a kind the history does not use',
    streamRecord(1, 'reply#r1', { ...replyImage, numbers: { NS: ['1'] } }),
  ],
])('readChange rejects a record: %s', (message, record) => {
  expect(() => readChange(record)).toThrow(new HistoryRecordError(message));
});

function entry(eventId: string, status: string): StatusEntry {
  const canonical = canonicalStatuses.find((known) => known === status);
  const rank = canonical === undefined ? unmappedRank : rankOf(canonical);
  return { eventId, status, rank, occurredAt: at, receivedAt: at };
}

function message(...statuses: readonly string[]): Message {
  const events = statuses.map((status, index) => [`e${index}`, entry(`e${index}`, status)] as const);
  return { messageId: 'm', firstSeenAt: at, events: new Map(events) };
}

function countsOf(change: Change<Message>) {
  const { count, counts } = recorder();
  itemKinds.find(({ prefix }) => prefix === 'message#')?.count?.(change, count);
  return Object.fromEntries(counts);
}

/** Counts a write that added to what was there. */
const counted = (before: readonly string[], added: readonly string[]) =>
  countsOf({
    before: before.length === 0 ? undefined : message(...before),
    after: message(...before, ...added),
  });

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
    const before = message('delivered', 'sent');
    const after = { ...before, events: new Map([...before.events, ['e1', entry('e1', 'failed')]]) };
    expect(countsOf({ before, after })).toEqual({ conflicting: 1 });
  });

  it('without the mark of the sweep, which is not a report of the service', () => {
    const before = message('sent');
    const events = new Map([...before.events, [staleEventId, entry(staleEventId, 'unknown')]]);
    const marked = { ...before, events };
    expect(countsOf({ before, after: marked })).toEqual({});
    const late = { ...marked, events: new Map([...events, ['late', entry('late', 'unknown')]]) };
    expect(countsOf({ before, after: late })).toEqual({ reportsUnknown: 1 });
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

it('the filter of the stream has the prefix of each published kind', () => {
  expect(itemKinds.map(({ prefix }) => prefix)).toEqual(publishedPrefixes);
});
