import { describe, expect, it } from 'vitest';
import { type QuarantinedEntry, quarantineId } from '../../../../functions/receive/quarantine/quarantine.ts';
import { memoryQuarantine } from '../../../support/fakes/quarantine.ts';
import { commandLine, historyOf, message, noonPlus, recordingPost, reply } from '../support/harness.ts';

/** Characters that move a cursor, rename a window, reverse text, or hide. */
const steering = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\ufeff\u{e0000}-\u{e007f}]/u;
/** Texts that a spreadsheet would run; a number in E.164 is not one. */
const formula = /^(?!\+[1-9]\d{1,14}$)[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;

/** One for each way in which a place of the output may forget to clean: sequences, lines, direction, formulas. */
const attacks = [
  '\u001b]52;c;cm0gLXJmIC8=\u0007',
  '\u009b31mone\ntwo\r\nthree',
  '\u202egnp.exe\u200b\ud800',
  '\t=HYPERLINK("http://x.example")',
] as const;

const phone = '+12025550143';
const quarantined = { receivedAt: noonPlus(-30_000), requestId: 'req-1' };

/** A history in which everything that may come from outside is this text. */
function hostile(text: string) {
  const entry: QuarantinedEntry = {
    ...quarantined,
    id: quarantineId(quarantined),
    reason: 'signature-mismatch',
    field: text,
    raw: Buffer.from(text),
    headers: { 'webhook-id': text },
    url: `https://example.test/webhooks/sms?${text}`,
    signedId: text,
  };
  const failed = { sendId: 'send-1', errorCode: text, errorText: text };
  const messages = [
    message('m-1', [{ status: text, word: text, second: -70, ...failed }]),
    message(`m${text}`, [
      { status: text, word: text, second: -90, ...failed },
      { status: 'failed', word: text, second: -80, ...failed },
    ]),
    message(`open${text}`, [{ status: text, second: -90_000, sendId: 'send-1', phone: text }]),
  ];
  const replies = [reply(`r${text}`, -60, text, text)];
  const optOuts = [{ phone: text, at: noonPlus(-60_000), by: 'person' as const, replyId: text }];
  return commandLine({
    connection: {
      ...historyOf(messages, replies, optOuts),
      quarantine: async () => memoryQuarantine([entry]),
      webhookUrl: async () => 'https://example.test/webhooks/sms',
      webhookSecret: async () => ({
        version: 1,
        current: { secret: 'whsec_b2xk', since: noonPlus(-3_600_000) },
      }),
    },
    post: recordingPost(500, text).post,
  }).sms;
}

function expectTame(...outputs: readonly string[]): void {
  for (const line of outputs.flatMap((output) => output.split(/\r?\n/))) expect(line).not.toMatch(steering);
}

describe('the command line strips terminal sequences and formulas from external values', () => {
  const lists = [
    ['message', 'get', 'm-1'],
    ['number', 'show', phone],
    ['send', 'show', 'send-1'],
    ['message', 'list', '--state', 'failed'],
    ['message', 'list', '--state', 'pending'],
    ['reply', 'list'],
    ['opt-out', 'list'],
    ['quarantine', 'list'],
    ['quarantine', 'show', quarantineId(quarantined)],
  ];

  it.each(lists)('sms %s %s %s', async (...words) => {
    const list = words.filter((word) => word !== undefined);
    const isList = !list.includes('show') && !list.includes('message');
    const formats = [[], ['--reveal'], ['--json'], ...(isList ? [['--csv']] : [])];
    for (const text of attacks)
      for (const format of formats) {
        const { code, out, err } = await hostile(text)(...list, ...format);
        expect([code, err]).toEqual([0, '']);
        expect(out).not.toBe('');
        expectTame(out);
        if (format[0] !== '--csv') continue;
        const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/gy;
        for (const [, quoted, plain = ''] of out.matchAll(field))
          expect((quoted ?? plain).replaceAll('""', '"')).not.toMatch(formula);
      }
  });

  it('in errors about arguments, and in answers to requests', async () => {
    for (const text of attacks)
      for (const args of [
        ['message', 'get', text],
        ['send', 'show', text],
        ['number', 'show', text],
        ['quarantine', 'show', text],
        ['reply', 'list', '--since', text],
        ['reply', 'list', '--cursor', text],
        ['message', 'list', '--state', 'failed', '--status', text],
        [text],
        ['send', 'status'],
      ]) {
        const { out, err } = await hostile(text)(...args);
        expectTame(out, err);
      }
  });
});
