import { expect, it } from 'vitest';
import { replyOf } from '../../../../functions/core/history/reply.ts';
import { optOutChanges } from '../../../../functions/core/opt-out/opt-out.ts';
import { keywordOf } from '../../../support/keywords.ts';

it('each version of a reply says what it says at its time', () => {
  const receivedAt = '2026-01-15T12:00:30.000Z';
  const event = (eventId: string, text: string, second: number) => ({
    kind: 'sms.reply' as const,
    eventId,
    replyId: 'r-1',
    from: '+12025550143',
    text,
    occurredAt: `2026-01-15T12:00:0${second}.000Z`,
  });
  const later = replyOf(event('e-2', 'start', 2), receivedAt);
  const { standing: earlier } = replyOf(event('e-1', 'Stop', 1), receivedAt);
  const reply = { ...later, superseded: new Map([['e-1', earlier]]) };
  expect(optOutChanges(reply, keywordOf)).toEqual([
    { phone: '+12025550143', state: 'in', at: '2026-01-15T12:00:02.000Z', replyId: 'r-1' },
    { phone: '+12025550143', state: 'out', at: '2026-01-15T12:00:01.000Z', replyId: 'r-1' },
  ]);
  expect(optOutChanges(replyOf(event('e-3', 'help', 3), receivedAt), keywordOf)).toEqual([]);
});

it('a time far ahead is taken for the time it came', () => {
  const receivedAt = '2026-01-15T12:00:30.000Z';
  const said = (occurredAt: string) =>
    optOutChanges(
      replyOf(
        { kind: 'sms.reply', eventId: 'e', replyId: 'r', from: '+12025550143', text: 'start', occurredAt },
        receivedAt,
      ),
      keywordOf,
    );
  expect(said('2099-01-01T00:00:00.000Z')).toMatchObject([{ at: receivedAt }]);
  expect(said('2026-01-15T12:05:00.000Z')).toMatchObject([{ at: '2026-01-15T12:05:00.000Z' }]);
});

it('a number that is no valid text is the same before and after it is stored', () => {
  const said = (from: string) =>
    optOutChanges(
      replyOf(
        {
          kind: 'sms.reply',
          eventId: 'e',
          replyId: 'r',
          from,
          text: 'stop',
          occurredAt: '2026-01-15T12:00:00.000Z',
        },
        '2026-01-15T12:00:00.000Z',
      ),
      keywordOf,
    );
  expect(said('Shop\ud800')).toEqual(said('Shop\ufffd'));
});

it('a word of one country means nothing from a number of another', () => {
  const said = (from: string) =>
    optOutChanges(
      replyOf(
        {
          kind: 'sms.reply',
          eventId: 'e',
          replyId: 'r',
          from,
          text: 'alto',
          occurredAt: '2026-01-15T12:00:00.000Z',
        },
        '2026-01-15T12:00:00.000Z',
      ),
      keywordOf,
    );
  expect(said('+5500955550143')).toEqual([]);
});
