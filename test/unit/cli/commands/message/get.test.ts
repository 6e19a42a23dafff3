import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../../functions/history/message.ts';
import { viewMessage } from '../../../../../functions/query/api/views/views.ts';
import { commandLine, historyOf, message, type Report } from '../../support/harness.ts';

const delivered = message('msg-1', [
  { status: 'delivered', second: 7, word: 'DELIVRD' },
  { status: 'queued', second: 0, sendId: 'send-1' },
  { status: 'sent', second: 2 },
]);

function show(messages: Parameters<typeof historyOf>[0], terminal = {}) {
  const { sms } = commandLine({ connection: historyOf(messages), terminal });
  return (...options: string[]) => sms('message', 'get', messages[0]?.messageId ?? 'none', ...options);
}

describe('message get', () => {
  it.each<[string, readonly Report[], string]>([
    ['that it is open', [{ status: 'sent', second: 0 }], 'sent, not final yet'],
    [
      'an error',
      [
        {
          status: 'undelivered',
          second: 1,
          errorCode: '30003',
          errorReason: 'unreachable',
          errorText: 'no answer of the handset',
        },
      ],
      'error 30003 (unreachable) no answer of the handset',
    ],
    [
      'that reports contradict each other',
      [
        { status: 'failed', second: 3 },
        { status: 'delivered', second: 1 },
      ],
      '! The reports contradict each other: "delivered" at 2026-01-15 09:00:01 -03:00 and "failed" at 2026-01-15 09:00:03 -03:00. "delivered" applies, because it ranks higher.',
    ],
    [
      'a word that the contract does not list',
      [{ status: 'zapped', word: 'zapped', second: 0 }],
      '! When it was stored, the contract did not list "zapped"',
    ],
    [
      'a report that was received before its time',
      [{ status: 'sent', second: 0, occurredAt: '2026-01-15T12:00:02.000Z' }],
      '1.5 s before (clocks differ)',
    ],
  ])('notes %s', async (_, reports, line) => {
    expect((await show([message('m', reports)])()).out).toContain(line);
  });

  it('shows an unknown number, and no send or duration without one', async () => {
    const { phone: _, ...withoutPhone } = message('m', [{ status: 'undelivered', second: 1 }]);
    const { out } = await show([withoutPhone])();
    expect(out).toContain('Number   unknown');
    expect(out).not.toMatch(/Took|Send |contradict|the service's word/);
  });

  it('shows the cost and the network if a report has them', async () => {
    const known = { price: '0.0158', currency: 'USD', segments: 2, network: '310410', carrier: 'One' };
    const { out } = await show([
      message('m', [
        { status: 'sent', second: 0, ...known },
        { status: 'delivered', second: 1 },
      ]),
    ])();
    expect(out).toMatch(/Cost +0\.0158 USD, 2 segments\n/);
    expect(out).toMatch(/Network +310410, One\n/);
    expect((await show([delivered])()).out).not.toMatch(/Cost|Network/);
  });

  it('shows the item as the table has it, with --raw', async () => {
    const { out } = await show([delivered])('--raw');
    const item = JSON.parse(out);
    expect(Object.keys(item)[0]).toBe('pk');
    expect(item).toMatchObject({
      pk: 'message#msg-1',
      messageId: 'msg-1',
      sendId: 'send-1',
      status: 'delivered',
      word: 'DELIVRD',
    });
    expect(Object.values(item)).toContainEqual(expect.objectContaining({ status: 'sent' }));
    expect((await show([])('--raw')).err).toContain('No message "none" in the history.');
  });

  it.each([
    ['none', 'sms lookup --message none --local'],
    ['backup/none', 'sms lookup --source backup --message none --local'],
  ])('says how to ask the service for the unknown message %s', async (id, hint) => {
    const outputs = async () => ({ LookupFunctionName: 'lookups' });
    const { sms } = commandLine({ connection: { ...historyOf([]), outputs } });
    const { code, err } = await sms('message', 'get', id, '--local');
    expect([code, err]).toEqual([1, expect.stringContaining(`To ask the SMS service: ${hint}\n`)]);
  });

  it('does not send people to lookups that are off', async () => {
    const outputs = async () => ({ WebhookUrl: 'https://example.com' });
    const { sms } = commandLine({ connection: { ...historyOf([]), outputs } });
    expect((await sms('message', 'get', 'none')).err).not.toContain('sms lookup');
  });

  it('colours the status on a terminal', async () => {
    const { out } = await show([delivered], { colour: true, columns: 100 })();
    expect(out).toContain('\u001b[32mdelivered\u001b[39m');
  });
});

describe('message get --follow', () => {
  const sent = message('m', [{ status: 'queued', second: 0 }]);
  const later = message('m', [
    { status: 'queued', second: 0 },
    { status: 'sent', second: 2 },
  ]);
  const done = message('m', [
    { status: 'queued', second: 0 },
    { status: 'sent', second: 2 },
    { status: 'delivered', second: 7 },
  ]);

  /** A message as it is at each look; waiting ends with the last of them. */
  function followed(looks: readonly (Message | undefined)[]) {
    const [...left] = looks;
    const { history = () => Promise.reject(new Error('no history')) } = historyOf([]);
    return commandLine({
      connection: { history: async () => ({ ...(await history()), message: async () => left.shift() }) },
      wait: async () => left.length > 0,
    }).sms;
  }

  it('shows each report once until one is final', async () => {
    const { code, out } = await followed([sent, sent, undefined, later, done, delivered])(
      ...['message', 'get', 'm', '--follow'],
    );
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'Message  m',
      'State    queued, not final yet, 2026-01-15 09:00:00 -03:00',
      'Number   •••0143',
      '',
      'TIME (America/Sao_Paulo)    ELAPSED  STATUS  RECEIVED      DETAIL',
      '2026-01-15 09:00:00 -03:00           queued  500 ms later',
      '2026-01-15 09:00:02 -03:00  +2.0 s   sent    500 ms later',
      '2026-01-15 09:00:07 -03:00  +7.0 s   delivered  500 ms later',
      '',
    ]);
  });

  it('writes the message at each report, one document a line', async () => {
    const { out } = await followed([sent, later, done])('message', 'get', 'm', '--follow', '--json');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([sent, later, done].map(viewMessage));
  });

  it('waits for the first report of a message that was just sent', async () => {
    const { code, out, err } = await followed([undefined, undefined, done])(
      'message',
      'get',
      'm',
      '--follow',
    );
    expect([code, err]).toEqual([0, 'No report about "m" yet. Waiting for the first; Ctrl-C ends it.\n']);
    expect(out).toContain('delivered');
    expect((await followed([undefined, undefined])('message', 'get', 'm', '--follow')).out).toBe('');
  });

  it('does not wait for a message that is final', async () => {
    const { sms } = commandLine({ connection: historyOf([done]) });
    expect((await sms('message', 'get', 'm', '--follow')).code).toBe(0);
  });
});
