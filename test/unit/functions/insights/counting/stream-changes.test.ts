import { expect, it } from 'vitest';
import { countedChange } from '../../../../../functions/insights/counting/stream-changes.ts';
import {
  messageImage,
  messageRecord,
  replyImage,
  streamRecord,
} from '../../publish/publisher/stream-records.ts';

it('a change of a message or a reply is read before and after', () => {
  const change = countedChange(messageRecord(1, 'm', 2));
  expect(change).toMatchObject({ kind: 'message', after: { messageId: 'm' } });
  expect(change?.kind === 'message' && change.before?.events.size).toBe(1);
  expect(countedChange(streamRecord(1, 'reply#r1', replyImage))).toMatchObject({
    kind: 'reply',
    before: undefined,
  });
});

it('removals, items of other kinds and unreadable items are not counted', () => {
  const before = messageImage('m', 1);
  expect(countedChange(streamRecord(1, 'message#m', undefined, before, 'REMOVE'))).toBeUndefined();
  expect(countedChange(streamRecord(1, 'drift#2026-01-15', {}))).toBeUndefined();
  expect(countedChange(streamRecord(1, 'message#m', { pk: { S: 'message#m' } }))).toBeUndefined();
});

it('an unreadable state before a change counts as none', () => {
  const change = countedChange(
    streamRecord(1, 'message#m', messageImage('m', 1), { pk: { S: 'message#m' } }),
  );
  expect(change).toMatchObject({ kind: 'message', before: undefined });
});
