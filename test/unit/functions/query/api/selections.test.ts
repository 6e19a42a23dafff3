import { expect, it, onTestFinished, vi } from 'vitest';
import { contentId } from '../../../../../contract/events/body.ts';
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

it('of a text the first 5,000 characters are searched, so that the longest texts cost little', () => {
  // A character that becomes eighteen.
  const long = { ...reply, current: { ...reply.current, text: '\ufdfa'.repeat(65_536) } };
  const normalized = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => normalized.mockRestore());
  for (const wanted of [{ text: 'order' }, { maskedText: 'order' }]) {
    expect(selectReplies(wanted)?.accepts(long)).toBe(false);
    const lengths = normalized.mock.contexts.map((text) => String(text).length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(5000);
    const at = (place: number) => ({
      ...reply,
      current: { ...reply.current, text: `${'x'.repeat(place)} order` },
    });
    expect(selectReplies(wanted)?.accepts(at(4994))).toBe(true);
    expect(selectReplies(wanted)?.accepts(at(4995))).toBe(false);
  }
});

it.each([4990, 4995, 4996, 4997, 4998, 4999])(
  'a number that the end of what is searched goes through is not found, at %i',
  (place) => {
    const text = `${'x'.repeat(place - 1)} 12025550143`;
    const cut = { ...reply, current: { ...reply.current, text } };
    for (const part of ['12', '1202']) expect(selectReplies({ maskedText: part })?.accepts(cut)).toBe(false);
  },
);

it('a cursor says nothing about the text or id that was looked for', () => {
  expect(selectMessages({ idPrefix: '12025550177' })?.identity).toEqual(['idPrefix']);
  expect(selectReplies({ maskedText: '+12025550177' })?.identity).toEqual(['maskedText']);
});

it('an id is not found by the beginning of a number in it, or of a hash, where answers mask them', () => {
  const message = { ...delivered, messageId: '1000001/12025550177', phone: '+12025550177' };
  for (const [prefix, isFound] of [
    ['1000001', true],
    ['1000001/', true],
    ['1000001/1', false],
    ['1000001/12025550177', false],
    ['1000002', false],
  ] as const) {
    const selection = selectMessages({ maskedIdPrefix: prefix });
    expect([prefix, selection?.accepts(message)]).toEqual([prefix, isFound]);
    expect(selectMessages({ idPrefix: prefix })?.accepts(message)).toBe(prefix !== '1000002');
  }
  const hash = contentId(['+12025550177', 'a reply']);
  const ofHash = { ...reply, replyId: `parts:${hash}` };
  expect(selectReplies({ maskedIdPrefix: 'parts:' })?.accepts(ofHash)).toBe(true);
  expect(selectReplies({ maskedIdPrefix: `parts:${hash.slice(0, 1)}` })?.accepts(ofHash)).toBe(false);
  expect(selectReplies({ idPrefix: `parts:${hash.slice(0, 1)}` })?.accepts(ofHash)).toBe(true);
});

it('which entries are read for a beginning of an id does not depend on what is masked of it', () => {
  const numbers = ['1000001/12025550177', '1000001/19995550177'];
  const hashes = [contentId('one'), contentId('another')];
  for (const ids of [numbers, hashes])
    for (const prefix of ['10', '1000001/1202', '1000001/1999', ...hashes.map((hash) => hash.slice(0, 2))]) {
      const read = ids.map((id) => selectMessages({ maskedIdPrefix: prefix })?.acceptsId?.(id));
      expect([prefix, read[0]]).toEqual([prefix, read[1]]);
    }
});

it('an id with characters outside of the basic plane is found by them', () => {
  const message = { ...delivered, messageId: 'x😀y', phone: '+12025550177' };
  expect(selectMessages({ maskedIdPrefix: 'x😀y' })?.accepts(message)).toBe(true);
});
