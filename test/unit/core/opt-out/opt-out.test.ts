import { describe, expect, it } from 'vitest';
import { replyOf } from '../../../../functions/core/history/reply.ts';
import { keywordOf } from '../../../../functions/core/opt-out/keyword.ts';
import { optOutChanges } from '../../../../functions/core/opt-out/opt-out.ts';

describe('a reply is a keyword', () => {
  it.each([
    ['STOP', 'stop'],
    ['stop', 'stop'],
    [' Stop.\n', 'stop'],
    ['“Sair!”', 'stop'],
    ['arrêt', 'stop'],
    ['ARRE\u0302T', 'stop'],
    ['opt out', 'stop'],
    ['Opt-out.', 'stop'],
    ['STOP ALL', 'stop'],
    ['STOP\u200b', 'stop'],
    ['Voltar', 'start'],
    ['start', 'start'],
    ['ayuda?', 'help'],
  ])('whatever its case, accents and punctuation: %j', (text, keyword) => {
    expect(keywordOf(text)).toBe(keyword);
  });

  it.each([
    'stop texting me',
    'Please STOP',
    'STOP STOP',
    'stopped',
    'no',
    '',
    '!',
    `stop${' '.repeat(100)}`,
    'constructor',
  ])('only where it is nothing else: %j', (text) => {
    expect(keywordOf(text)).toBeUndefined();
  });
});

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
  expect(optOutChanges(reply)).toEqual([
    { phone: '+12025550143', state: 'in', at: '2026-01-15T12:00:02.000Z', replyId: 'r-1' },
    { phone: '+12025550143', state: 'out', at: '2026-01-15T12:00:01.000Z', replyId: 'r-1' },
  ]);
  expect(optOutChanges(replyOf(event('e-3', 'help', 3), receivedAt))).toEqual([]);
});

it('a time far ahead is taken for the time it came', () => {
  const receivedAt = '2026-01-15T12:00:30.000Z';
  const said = (occurredAt: string) =>
    optOutChanges(
      replyOf(
        { kind: 'sms.reply', eventId: 'e', replyId: 'r', from: '+12025550143', text: 'start', occurredAt },
        receivedAt,
      ),
    );
  expect(said('2099-01-01T00:00:00.000Z')).toMatchObject([{ at: receivedAt }]);
  expect(said('2026-01-15T12:05:00.000Z')).toMatchObject([{ at: '2026-01-15T12:05:00.000Z' }]);
});
