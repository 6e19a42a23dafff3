import { describe, expect, it, vi } from 'vitest';
import { messageItem } from '../../../../../functions/history/message-item.ts';
import { replyItem } from '../../../../../functions/history/reply-item.ts';
import {
  type CountedState,
  countedState,
  type LoggedChange,
  Recount,
} from '../../../../../functions/insights/counters/recount.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import { replied, report } from '../../../../support/suites/reports.ts';

const settings = { retentionDays: 400, listShards: 2 };
const expiresAt = Date.UTC(2026, 0, 16, 12, 0, 50) / 1000;
const version = '1';

function stateOf(status: 'sent' | 'delivered'): CountedState {
  const view = report('m', 'e', status, 0, { sendId: 'send-1', phone: '+12025550143' });
  const state = countedState(messageItem(view, version, expiresAt, settings), keywordOf);
  if (state === undefined) throw new Error('a message is counted');
  return state;
}

const [sent, delivered] = [stateOf('sent'), stateOf('delivered')];
const sendName = 'send#send-1 figures';

const change = (at: number, parts: Partial<LoggedChange>): LoggedChange => ({
  shardId: 'shard',
  position: String(at).padStart(40, '0'),
  key: 'message#m',
  isRemoval: false,
  before: undefined,
  after: undefined,
  ...parts,
});
const positions = (at: number) => new Map([['shard', String(at).padStart(40, '0')]]);

describe('a counted state', () => {
  it('has the cohorts of a message, and for how long it is kept', () => {
    expect(sent.tally).toEqual({ sent: 1 });
    expect([...sent.cohorts.keys()]).toEqual([
      sendName,
      'quarter-hours#2026-01-15 12:00#US',
      'days#2026-01 2026-01-15#US',
    ]);
    expect(sent.keptMs).toBe(86_400_000);
  });

  it('of a reply names the message that it answers', () => {
    const item = replyItem(
      replied('r', 'e', 5, { messageId: 'm', text: 'stop' }),
      version,
      expiresAt,
      settings,
    );
    expect(countedState(item, keywordOf)).toMatchObject({ tally: { replies: 1, optOuts: 1 }, answers: 'm' });
  });

  it('is none for an item with a time with which no figure can be computed', () => {
    const spoilt = report('m', 'e', 'sent', 0, { occurredAt: '15.01.2026' });
    expect(countedState(messageItem(spoilt, version, expiresAt, settings), keywordOf)).toBeUndefined();
  });

  it('is none for other items and for those that cannot be read', () => {
    expect(countedState({ pk: { S: 'drift#2026-01-15' } }, keywordOf)).toBeUndefined();
    expect(countedState({ pk: { S: 'message#m' } }, keywordOf)).toBeUndefined();
  });
});

describe('a recount', () => {
  const arrived = change(1, { after: sent });
  const changed = change(2, { before: sent, after: delivered });

  it.each([
    ['neither', undefined],
    ['the first', sent],
    ['both', delivered],
  ])('is the same whether the scan saw %s of two changes', (_, seen) => {
    const recount = new Recount();
    if (seen !== undefined) recount.see('message#m', seen);
    recount.setLog([changed, arrived]);
    const at = [0, 1, 2].map((position) => recount.at(positions(position)).cohort(sendName));
    expect(at).toEqual([{}, { sent: 1 }, { delivered: 1 }]);
    expect(recount.at(new Map()).cohort(sendName)).toEqual({});
  });

  it('holds more items than a Map does', () => {
    const recount = new Recount(2);
    for (let index = 0; index < 5; index++) recount.see(`message#m${index}`, sent);
    const log = [0, 2, 4].map((index) => ({ ...changed, key: `message#m${index}` }));
    recount.setLog(log);
    expect(recount.items).toBe(5);
    expect(recount.at(positions(2)).cohort(sendName)).toEqual({ sent: 2, delivered: 3 });
    expect(recount.sendOf('m3')).toBe('send-1');
  });

  it('copies no counts when it adds a message', () => {
    const recount = new Recount();
    const copies = vi.spyOn(Object, 'fromEntries');
    for (let index = 0; index < 100; index++) recount.see(`message#${index}`, delivered);
    expect(copies).not.toHaveBeenCalled();
    copies.mockRestore();
    expect(recount.at(new Map()).cohort(sendName)).toEqual({ delivered: 100 });
  });

  it('lacks what was deleted, at any position', () => {
    const recount = new Recount();
    recount.see('message#m', sent);
    recount.setLog([changed, change(3, { isRemoval: true, before: delivered })]);
    // Counters of { sent: 1 } at the first position, and of { delivered: 1 } at the second, both have one message too many.
    expect(recount.at(positions(1)).cohort(sendName)).toEqual({ sent: 1, delivered: -1 });
    expect(recount.at(positions(2)).cohort(sendName)).toEqual({});
  });

  it('knows the sends of answered messages', () => {
    const item = replyItem(replied('r', 'e', 5, { messageId: 'm' }), version, expiresAt, settings);
    const reply = countedState(item, keywordOf);
    if (reply === undefined) throw new Error('a reply is counted');
    const recount = new Recount();
    recount.see('reply#r', reply);
    expect([...recount.answered()]).toEqual([['m', undefined]]);
    recount.setLog([arrived]);
    expect([...recount.answered()]).toEqual([['m', 'send-1']]);
    expect(recount.at(positions(1)).cohort(sendName, ['m'])).toEqual({ sent: 1, replies: 1 });
    expect(recount.firstOf(sendName)).toBe(Date.UTC(2026, 0, 15, 12));
  });
});
