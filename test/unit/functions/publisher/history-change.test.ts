import { expect, it } from 'vitest';
import type { DriftDay } from '../../../../contract/drift/drift-watch.ts';
import type { Message } from '../../../../functions/history/message.ts';
import type { Change } from '../../../../functions/publisher/history-events.ts';
import { HistoryRecordError, readChange } from '../../../../functions/publisher/item-kinds.ts';
import { messageImage, messageRecord, optOutImage, replyImage, streamRecord } from './stream-records.ts';

const at = '2026-01-15T12:00:00.000Z';

it('readChange reads a message before and after the change', () => {
  const change = readChange(messageRecord(1, 'm', 2))?.change as Change<Message>;
  expect(change).toMatchObject({ before: { messageId: 'm' }, after: { firstSeenAt: at } });
  expect([...change.after.events.keys()]).toEqual(['e0', 'e1']);
  expect([...(change.before?.events.values() ?? [])]).toEqual([
    { eventId: 'e0', status: 'accepted', rank: 10, occurredAt: at, receivedAt: at },
  ]);
});

it('readChange reads a reply with its versions', () => {
  const older = {
    M: { from: { S: '+12025550143' }, text: { S: 'hi' }, occurredAt: { S: at }, receivedAt: { S: at } },
  };
  expect(readChange(streamRecord(1, 'reply#r1', { ...replyImage, 'event#e0': older }))?.change).toEqual({
    before: undefined,
    after: {
      replyId: 'r1',
      standing: { eventId: 'e1', from: '+12025550143', text: 'hello', occurredAt: at, receivedAt: at },
      superseded: new Map([
        ['e0', { eventId: 'e0', from: '+12025550143', text: 'hi', occurredAt: at, receivedAt: at }],
      ]),
    },
  });
});

const novelty = (word: string) => ({
  M: {
    ...{ kind: { S: 'status' }, field: { S: 'statuses' }, expected: { S: 'a listed word' } },
    ...{ found: { S: 'string' }, word: { S: word }, shape: { S: '{}' }, foundAt: { S: at } },
  },
});

it('readChange reads the register entry of a number', () => {
  const read = readChange(streamRecord(1, 'optout#x', optOutImage('in'), optOutImage('out')));
  const statement = { phone: '+12025550143', at, replyId: 'r1' };
  expect(read?.change).toEqual({
    before: { ...statement, state: 'out' },
    after: { ...statement, state: 'in' },
  });
});

it('readChange reads the new mismatches of a day', () => {
  const before = { day: { S: '2026-01-15' }, 'novelty#a': novelty('held') };
  const read = readChange(
    streamRecord(1, 'drift#2026-01-15', { ...before, 'novelty#b': novelty('gone') }, before),
  );
  const change = read?.change as Change<DriftDay>;
  expect([...(change.before?.novelties.keys() ?? [])]).toEqual(['a']);
  expect(change.after.day).toBe('2026-01-15');
  expect([...change.after.novelties.values()].map(({ word }) => word)).toEqual(['held', 'gone']);
});

it.each([
  ['a deletion', streamRecord(1, 'message#m', undefined, messageImage('m', 1), 'REMOVE')],
  ['an item of another kind', streamRecord(1, 'erasure#1', { what: { S: 'x' } })],
])('readChange ignores %s', (_, record) => {
  expect(readChange(record)).toBeUndefined();
});

const { from: _from, ...withoutSender } = replyImage;
it.each([
  ['no key', { eventName: 'INSERT' } as const],
  ['no new image', streamRecord(1, 'message#m')],
  ['a message without a report', streamRecord(1, 'message#m', messageImage('m', 0))],
  [
    'report: no text in status',
    streamRecord(1, 'message#m', { ...messageImage('m', 1), 'event#x': { S: 'x' } }),
  ],
  ['item: no text in from', streamRecord(1, 'reply#r1', withoutSender)],
  [
    'novelty: no text in kind',
    streamRecord(1, 'drift#x', { day: { S: '2026-01-15' }, 'novelty#a': { M: {} } }),
  ],
  ['item: state is none of out, in', streamRecord(1, 'optout#x', optOutImage('perhaps'))],
  [
    'a value of a kind the history does not use',
    streamRecord(1, 'reply#r1', { ...replyImage, binary: { B: 'AA==' } }),
  ],
])('readChange rejects a record: %s', (message, record) => {
  expect(() => readChange(record)).toThrow(new HistoryRecordError(message));
});
