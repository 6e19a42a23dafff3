import { describe, expect, it } from 'vitest';
import { commandLine, historyOf, noonPlus, reply } from '../../support/harness.ts';

const replies = [
  reply('reply-1', -60, 'Yes,\n\u202eplease', 'msg-1'),
  reply('reply-2', -30, '=cmd()'),
  reply('reply-3', -200_000, 'old'),
];
const optOuts = [
  { phone: '+12025550143', at: noonPlus(-200_000_000), replyId: 'reply-9' },
  { phone: '+12025550177', at: noonPlus(-60_000), replyId: 'reply-\u001b[2J8' },
];
const { sms } = commandLine({ connection: historyOf([], replies, optOuts) });

describe('replies', () => {
  it('shows entries of the last 24 hours', async () => {
    const { code, out, err } = await sms('reply', 'list');
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'Replies in the last 24 hours, newest first',
      '',
      'TIME (America/Sao_Paulo)    FROM         ANSWERS  TEXT',
      '2026-01-15 08:59:30 -03:00  +12025•••43           =cmd()',
      '2026-01-15 08:59:00 -03:00  +12025•••43  msg-1    Yes, please',
      '',
      '--since and --until choose another time.',
      '',
    ]);
  });
});

describe('opt-out list', () => {
  it('shows all numbers that opted out, however long ago', async () => {
    const { out } = await sms('opt-out', 'list');
    expect(out.split('\n')).toEqual([
      'Numbers that opted out, newest first',
      '',
      'SINCE (America/Sao_Paulo)   NUMBER       ORIGIN',
      '2026-01-15 08:59:00 -03:00  +12025•••77  reply reply-8',
      '2026-01-13 01:26:40 -03:00  +12025•••43  reply reply-9',
      '',
    ]);
  });

  it('writes JSON and CSV with the numbers in full', async () => {
    const { out } = await sms('opt-out', 'list', '--since', '1d', '--json');
    expect(JSON.parse(out).entries).toMatchObject([{ phone: '+12025550177', since: noonPlus(-60_000) }]);
    expect((await sms('opt-out', 'list', '--since', '1d', '--csv')).out).toBe(
      'phone,since,replyId,reason\r\n+12025550177,2026-01-15T11:59:00.000Z,reply-8,\r\n',
    );
  });

  it('hides a cursor that contains a number, unless --reveal', async () => {
    const masked = await sms('opt-out', 'list', '--limit', '1');
    expect(masked.out).toContain('There is more: a larger --limit or --all shows it');
    expect(masked.out).not.toContain('--cursor');
    expect((await sms('opt-out', 'list', '--limit', '1', '--reveal')).out).toContain('--cursor');
    const csv = await sms('opt-out', 'list', '--limit', '1', '--csv');
    expect(csv.err).toBe('There is more: a larger --limit or --all shows it\n');
    expect((await sms('opt-out', 'list', '--limit', '1', '--csv', '--reveal')).err).toContain('--cursor');
  });
});
