import { describe, expect, it } from 'vitest';
import { commandLine, historyOf, message } from '../../support/harness.ts';

const messages = [
  message('msg-1', [
    { status: 'queued', second: -7200, sendId: 'send-1' },
    { status: 'delivered', second: -7198 },
  ]),
  message('msg-2', [
    { status: 'queued', second: -7100, sendId: 'send-1', phone: '+12025550177' },
    {
      status: 'undelivered',
      second: -7097,
      phone: '+12025550177',
      errorCode: '30003',
      errorReason: 'unreachable',
      errorText: 'handset unreachable',
    },
  ]),
  message('msg-3', [{ status: 'sent', second: -7000, sendId: 'send-1' }]),
  message('msg-4', [{ status: 'zapped', second: -200_000 }]),
  message('msg-5', [{ status: 'rejected', second: -200_000, errorText: '=1+1' }]),
];

const { sms } = commandLine({ connection: historyOf(messages) });

const idsOf = (json: string): string[] =>
  JSON.parse(json).entries.map(({ messageId }: { messageId: string }) => messageId);

describe('send show', () => {
  it.each([
    [
      ['--status', 'sent,DELIVERED'],
      ['msg-3', 'msg-1'],
    ],
    [
      ['--status', 'sent', '--status', 'delivered'],
      ['msg-3', 'msg-1'],
    ],
    [['--status', 'read'], []],
    [
      ['--since', '2026-01-15T07:01'],
      ['msg-3', 'msg-2'],
    ],
    [['--until', '2026-01-15T07:01'], ['msg-1']],
    [['--id-prefix', 'msg-3'], ['msg-3']],
  ])('shows what %j asks for', async (options, ids) => {
    expect(idsOf((await sms('send', 'show', 'send-1', '--json', ...options)).out)).toEqual(ids);
  });
});

it.each([
  [['send', 'show', 'send-\u001b[2J9'], 'No messages of the send "send-9".\n'],
  [
    ['message', 'list', '--state', 'failed', '--status', 'expired'],
    'No messages that failed in the last 24 hours. --since and --until choose another time.\n',
  ],
  [['number', 'show', '+12025550199'], '•••0199: never opted out\n\nNothing in the history of •••0199.\n'],
  [['reply', 'list'], 'No replies in the last 24 hours. --since and --until choose another time.\n'],
  [['opt-out', 'list'], 'No numbers that opted out.\n'],
])('%j exits with 0 when there is none', async (args, out) => {
  expect(await sms(...args)).toEqual({ code: 0, out, err: '' });
});

it('message list --state unknown has the messages without a final report', async () => {
  expect(await sms('message', 'list', '--state', 'unknown')).toEqual({
    code: 0,
    out: 'No messages that are unknown in the last 24 hours. --since and --until choose another time.\n',
    err: '',
  });
});

describe('message list --state pending', () => {
  it('shows open messages, also those with words that the contract does not list', async () => {
    const { out } = await sms('message', 'list', '--state', 'pending');
    expect(out).toContain('Messages without a final status, newest first\n');
    expect(out).toMatch(/msg-3 .* open for 1 h 56 min\n/);
    expect(out).toMatch(/msg-4 .* zapped .* open for 2 d 7 h\n/);
    expect(out).toContain('2 messages: 1 sent, 1 zapped.');
  });
});

it('message list --oldest-first begins with the message that waits longest', async () => {
  const pending = ['message', 'list', '--state', 'pending', '--oldest-first'];
  expect(idsOf((await sms(...pending, '--json')).out)).toEqual(['msg-4', 'msg-3']);
  expect(idsOf((await sms(...pending, '--limit', '1', '--json')).out)).toEqual(['msg-4']);
  expect((await sms(...pending)).out).toContain('Messages without a final status, oldest first\n');
  const { code, err } = await sms('message', 'list', '--oldest-first');
  expect([code, err]).toEqual([2, expect.stringContaining('--state pending')]);
});

describe('a status', () => {
  const open = 'accepted, queued, sent.';
  const bad = 'expired, rejected, failed, undelivered.';

  it.each([
    [['send', 'show', 's'], 'delivrd', 'is not a status', 'delivered, read.'],
    [['message', 'list'], 'delivered', 'does not occur in this list.', bad],
    [['message', 'list'], 'failed,', 'is not a status.', bad],
    [['message', 'list', '--state', 'pending'], 'read', 'does not occur in this list.', open],
  ])('of %j with %s is rejected with the accepted statuses', async (command, status, problem, accepted) => {
    const { code, out, err } = await sms(...command, '--status', status);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(problem);
    expect(err).toContain(accepted);
  });
});

describe('message list', () => {
  it.each([
    [['--reason', 'unreachable'], ['msg-2']],
    [['--reason', 'unknown'], ['msg-5']],
    [['--code', '30003'], ['msg-2']],
    [['--code', '30004'], []],
    [
      ['--country', 'us'],
      ['msg-2', 'msg-5'],
    ],
    [['--country', 'BR', '--reason', 'unreachable'], []],
    [['--id-prefix', 'msg-5'], ['msg-5']],
    [['--id-prefix', 'sg-'], []],
  ])('has the failures that %j asks for', async (options, ids) => {
    expect(idsOf((await sms('message', 'list', '--since', '30d', '--json', ...options)).out)).toEqual(ids);
  });

  it.each([
    [['--country', 'Brazil'], 'Expected the two letters of a country'],
    [
      ['--state', 'pending', '--code', '7'],
      '--reason and --code are for messages that failed: --state failed.',
    ],
  ])('refuses %j', async (options, text) => {
    const { code, err } = await sms('message', 'list', ...options);
    expect([code, err]).toEqual([2, expect.stringContaining(text)]);
  });
});
