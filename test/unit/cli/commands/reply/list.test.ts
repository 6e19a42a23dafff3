import { describe, expect, it } from 'vitest';
import { commandLine, historyOf, noonPlus, reply } from '../../support/harness.ts';

const replies = [
  reply('reply-1', -60, 'Yes,\n\u202eplease', 'msg-1'),
  reply('reply-2', -30, '=cmd()'),
  reply('reply-3', -200_000, 'old'),
];
const optOuts = [
  { phone: '+12025550143', at: noonPlus(-200_000_000), by: 'person' as const, replyId: 'reply-9' },
  { phone: '+12025550177', at: noonPlus(-60_000), by: 'person' as const, replyId: 'reply-\u001b[2J8' },
];
const { sms } = commandLine({ connection: historyOf([], replies, optOuts) });

describe('opt-out list', () => {
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
