import { expect, it } from 'vitest';
import { type CanonicalStatus, rankOf } from '../../../../../contract/schema/sms-event.ts';
import { type Message, messageOf } from '../../../../../functions/history/message.ts';
import { masked } from '../../../../../functions/query/api/mask.ts';
import { selectMessages, selectReplies } from '../../../../../functions/query/api/selections.ts';

const messageWith = (status: CanonicalStatus, rest: object = {}): Message =>
  messageOf(
    {
      kind: 'sms.status',
      eventId: 'evt-1',
      messageId: 'msg-1',
      phone: '+12025550143',
      status,
      rank: rankOf(status),
      occurredAt: '2026-01-15T11:00:00.000Z',
      ...rest,
    },
    '2026-01-15T11:00:01.000Z',
  );
const delivered = messageWith('delivered');
const failed = messageWith('failed');
const unreachable = messageWith('undelivered', { errorReason: 'unreachable', errorCode: '30003' });

it.each([
  [{ reason: 'unknown' }, [failed]],
  [{ code: '' }, [failed]],
  [{ reason: 'unreachable' }, [unreachable]],
  [{ code: '30003', country: 'US' }, [unreachable]],
  [{ code: '30003', country: 'BR' }, []],
  [{ country: 'US' }, [delivered, failed, unreachable]],
  [{ channel: 'sms' }, [delivered, failed, unreachable]],
  [{ idPrefix: 'msg-' }, [delivered, failed, unreachable]],
  [{ idPrefix: 'sg-' }, []],
  [{ idPrefix: 'MSG' }, []],
  [{}, undefined],
])('of messages %j selects those that failed so', (wanted, expected) => {
  const selection = selectMessages(wanted);
  expect(selection && [delivered, failed, unreachable].filter((one) => selection.accepts(one))).toEqual(
    expected,
  );
});

const reply = {
  replyId: 'reply-1',
  current: {
    kind: 'sms.reply' as const,
    eventId: 'evt-2',
    replyId: 'reply-1',
    from: '+12025550143',
    text: 'Call my sister at +1 202 555 0177, please',
    occurredAt: '2026-01-15T11:30:00.000Z',
    receivedAt: '2026-01-15T11:30:01.000Z',
  },
  olderVersions: new Map(),
};

it('an id is found by its beginning, with and without its source', () => {
  for (const [id, prefix, isFound] of [
    ['backup/msg-1', 'msg', true],
    ['backup/msg-1', 'backup/m', true],
    ['backup/msg-1', 'other/m', false],
    ['msg-1', 'msg-1', true],
    ['msg-1', 'msg-10', false],
  ] as const)
    expect([id, prefix, selectMessages({ idPrefix: prefix })?.acceptsId?.(id)]).toEqual([
      id,
      prefix,
      isFound,
    ]);
  expect(selectMessages({ reason: 'spam' })?.acceptsId).toBeUndefined();
});

it('a masked text is not found by the digits of a number in it, and a whole one is', () => {
  for (const text of ['20', '0177', '+1 202 555 0177'])
    expect([
      selectReplies({ maskedText: text })?.accepts(reply),
      selectReplies({ text })?.accepts(reply),
    ]).toEqual([false, true]);
  expect(selectReplies({ maskedText: 'SISTER' })?.accepts(reply)).toBe(true);
});

it('a masked text is searched as the answer shows it, also with a number of few digits', () => {
  const text = 'Ring 555-0177 or take ticket 55123';
  const answer = masked({ kind: 'json', view: { text } });
  const shown = answer.kind === 'json' ? String(Object(answer.view).text) : '';
  const short = { ...reply, current: { ...reply.current, text } };
  for (const part of ['555', '0177', '55123', 'Ring', 'ticket'])
    expect([part, selectReplies({ maskedText: part })?.accepts(short)]).toEqual([part, shown.includes(part)]);
  expect(shown).not.toContain('0177');
});

it('a cursor says nothing about the text or id that was looked for', () => {
  expect(selectMessages({ idPrefix: '12025550177' })?.identity).toEqual(['idPrefix']);
  expect(selectReplies({ maskedText: '+12025550177' })?.identity).toEqual(['maskedText']);
});
