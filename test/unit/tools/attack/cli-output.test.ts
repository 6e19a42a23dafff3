import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type QuarantinedEntry, quarantineId } from '../../../../functions/quarantine/quarantine.ts';
import { assertProperty } from '../../../support/property.ts';
import {
  commandLine,
  historyOf,
  message,
  noonPlus,
  recordingPost,
  reply,
} from '../../cli/support/harness.ts';
import { quarantineOf } from '../../cli/support/lists.ts';

/** Characters that move a cursor, rename a window, reverse text, or hide. */
const steering = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\ufeff\u{e0000}-\u{e007f}]/u;
/** Texts that a spreadsheet would run; a number in E.164 is not one. */
const formula = /^(?!\+[1-9]\d{1,14}$)[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;

const phone = '+12025550143';
const attacks = [
  '\u001b[2J\u001b]0;owned\u0007',
  '\u001b]8;;http://x.example\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;cm0gLXJmIC8=\u0007',
  '\u009b31mred',
  'a\rerased',
  'one\ntwo\r\nthree',
  '\u202egnp.exe',
  '=HYPERLINK("http://x.example")',
  "+1+cmd|' /C calc'!A0",
  '-2+3',
  '@SUM(1)',
  '\t=1+1',
  '\r\n=1+1,"',
  '"\n=1+1',
  '\u200b=1',
  '\ud800',
] as const;

/** A history in which everything that may come from outside is this text. */
function hostile(text: string) {
  const where = { receivedAt: noonPlus(-30_000), requestId: 'req-1' };
  const entry: QuarantinedEntry = {
    ...where,
    id: quarantineId(where),
    reason: 'signature-mismatch',
    field: text,
    raw: Buffer.from(text),
    headers: { 'webhook-id': text },
    url: `https://example.test/webhooks/sms?${text}`,
    signedId: text,
  };
  const messages = [
    message(`m${text}`, [
      { status: text, word: text, second: -90, sendId: 'send-1', errorCode: text, errorText: text },
      { status: 'failed', word: text, second: -80, sendId: 'send-1', errorCode: text, errorText: text },
    ]),
    message(`open${text}`, [{ status: text, second: -90_000, sendId: 'send-1', phone: text }]),
  ];
  const replies = [reply(`r${text}`, -60, text, text)];
  const optOuts = [{ phone: text, at: noonPlus(-60_000), replyId: text }];
  return commandLine({
    connection: {
      ...historyOf(messages, replies, optOuts),
      quarantine: async () => quarantineOf([entry]),
      webhookUrl: async () => 'https://example.test/webhooks/sms',
      webhookSecret: async () => ({
        version: 1,
        current: { secret: 'whsec_b2xk', since: noonPlus(-3_600_000) },
      }),
    },
    post: recordingPost(500, text).post,
  }).sms;
}

const lists = [
  ['history', 'phone', phone],
  ['history', 'send', 'send-1'],
  ['history', 'failed'],
  ['history', 'pending'],
  ['replies'],
  ['optouts'],
  ['quarantine', 'list'],
] as const;
const formats = [[], ['--reveal'], ['--json'], ['--csv']] as const;

function expectTame(...outputs: readonly string[]): void {
  for (const output of outputs) for (const line of output.split(/\r?\n/)) expect(line).not.toMatch(steering);
}

describe('the command line strips terminal sequences from external values', () => {
  it.each(lists.flatMap((list) => formats.map((format) => [...list, ...format])))(
    'sms %s %s %s %s',
    async (...args) => {
      for (const text of attacks) {
        const { code, out, err } = await hostile(text)(...args.filter((word) => word !== undefined));
        expect([code, err]).toEqual([0, '']);
        expect(out).not.toBe('');
        expectTame(out);
      }
    },
  );

  it.each([[], ['--reveal'], ['--json']])('sms quarantine show %s', async (...format) => {
    for (const text of attacks) {
      const id = quarantineId({ receivedAt: noonPlus(-30_000), requestId: 'req-1' });
      const { code, out, err } = await hostile(text)('quarantine', 'show', id, ...format.filter(Boolean));
      expect([code, err]).toEqual([0, '']);
      expectTame(out);
    }
  });

  it('in errors about arguments, and in answers to requests', async () => {
    for (const text of attacks) {
      const sms = hostile(text);
      for (const args of [
        ['history', 'message', text],
        ['history', 'send', text],
        ['history', 'phone', text],
        ['quarantine', 'show', text],
        ['replies', '--since', text],
        ['replies', '--cursor', text],
        ['history', 'failed', '--status', text],
        [text],
        ['send', 'status'],
      ]) {
        const { out, err } = await sms(...args);
        expectTame(out, err);
      }
    }
  });
});

it('a CSV cell is never a formula, for any value', async () => {
  const text = fc.oneof(
    fc.constantFrom(...attacks),
    fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', 'a', '\u200b', '1') }),
  );
  await assertProperty(
    fc.asyncProperty(text, fc.constantFrom(...lists), async (value, list) => {
      const { out } = await hostile(value)(...list, '--csv');
      const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/gy;
      for (const [, quoted, plain = ''] of out.matchAll(field))
        expect((quoted ?? plain).replaceAll('""', '"')).not.toMatch(formula);
    }),
    { numRuns: 60 },
  );
});
