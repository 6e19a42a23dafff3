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

describe('of a pipeline with several sources', () => {
  const connection = {
    ...historyOf(
      [],
      [reply('reply-1', -60, 'Yes', 'msg-1'), reply('backup/reply-1', -30, 'No', 'backup/msg-1')],
      optOuts.map((one, index) => (index === 0 ? one : { ...one, source: 'backup' })),
    ),
    sources: async () => ['main', 'backup'],
  };
  const several = commandLine({ connection });

  it('lists are those of the source that --source names, which they say', async () => {
    const { out } = await several.sms('reply', 'list', '--source', 'backup');
    expect(out).toContain('Replies of the source backup in the last 24 hours, newest first');
    expect(out).toContain('backup/msg-1');
    expect(out).toContain('No');
    expect(out).not.toContain('Yes');
    const main = JSON.parse((await several.sms('reply', 'list', '--source', 'main', '--json')).out);
    expect(main.entries).toMatchObject([{ replyId: 'reply-1' }]);
    // A person who opted out at one source is out of all.
    const numbers = JSON.parse((await several.sms('opt-out', 'list', '--source', 'backup', '--json')).out);
    expect(numbers.entries).toMatchObject(optOuts.toReversed().map(({ phone }) => ({ phone })));
  });

  it('CSV has the ids of the providers, and a column with the source', async () => {
    const { out } = await several.sms('reply', 'list', '--csv');
    expect(out.split('\r\n').slice(0, 3)).toEqual([
      'replyId,messageId,from,to,text,occurredAt,receivedAt,channel,media,partsReceived,partsTotal,timeIs,source',
      expect.stringMatching(/^reply-1,msg-1,.*,backup$/),
      expect.stringMatching(/^reply-1,msg-1,.*,$/),
    ]);
    expect((await sms('reply', 'list', '--csv')).out).toMatch(/timeIs\r\n/);
    expect((await several.sms('opt-out', 'list', '--csv')).out).toMatch(
      /reason,recordedBy,source,outOf,outOfAllExcept\r\n/,
    );
  });
});

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

it('reply list --text has the replies that contain it, in capitals or small letters', async () => {
  const { out } = await sms('reply', 'list', '--text', 'PLEASE', '--json');
  expect(JSON.parse(out).entries).toMatchObject([{ replyId: 'reply-1' }]);
});

it('opt-out list --by has the opt-outs of one origin', async () => {
  const numbers = async (by: string) => JSON.parse((await sms('opt-out', 'list', '--by', by, '--json')).out);
  expect((await numbers('person')).entries).toHaveLength(2);
  expect((await numbers('operator')).entries).toEqual([]);
});
