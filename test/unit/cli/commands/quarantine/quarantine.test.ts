import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../../../../cli/target/context.ts';
import {
  type QuarantinedEntry,
  quarantineId,
} from '../../../../../functions/receive/quarantine/quarantine.ts';
import { memoryQuarantine } from '../../../../support/fakes/quarantine.ts';
import { commandLine, noonPlus } from '../../support/harness.ts';

function entry(second: number, fields: Partial<QuarantinedEntry>): QuarantinedEntry {
  const where = { receivedAt: noonPlus(second * 1000), requestId: `req${second}` };
  const { index } = fields;
  const id = quarantineId({ ...where, ...(index === undefined ? {} : { index }) });
  return { ...where, id, reason: 'not-json', raw: Buffer.from('{'), ...fields };
}

const event = entry(-60, {
  reason: 'bad-time',
  field: 'occurredAt',
  index: 2,
  raw: Buffer.from('{"to": "+12025550143", "text": "a\\u001b[2Jb\u202e", "id": 12345678901234567890}'),
});
const body = entry(-30, { raw: Buffer.from('{"to": \u001b[2J+12025550143\r\nnext') });
const old = entry(-200_000, { reason: 'empty-body', raw: new Uint8Array() });

function quarantine(entries: readonly QuarantinedEntry[], terminal: Partial<Terminal> = {}) {
  const { sms } = commandLine({
    connection: { quarantine: async () => memoryQuarantine(entries) },
    terminal,
  });
  return (...args: string[]) => sms('quarantine', ...args);
}

const sms = quarantine([event, body, old]);

describe('quarantine show', () => {
  it('shows the request line of a captured entry, and its headers with --reveal', async () => {
    const captured = entry(-1, {
      reason: 'captured',
      method: 'POST',
      contract: '0123456789ab',
      raw: Buffer.from('a=1'),
      url: 'https://x.test/sms?key=1',
      headers: { 'x-signature': 'abc\u001b[2J', 'user-agent': 'sms/1' },
    });
    const show = quarantine([captured]);
    const { out } = await show('show', captured.id);
    expect(out).toContain('Contract  0123456789ab\nRequest   POST https://x.test/sms\n');
    expect(out).not.toMatch(/key=1|abc/);
    const { out: revealed } = await show('show', captured.id, '--reveal');
    expect(revealed).toContain('\n\nx-signature: abc');
    expect(revealed).toContain('user-agent: sms/1\n\na=1\n');
    expect(revealed).not.toContain('\u001b');
    expect(JSON.parse((await show('show', captured.id, '--json')).out)).toMatchObject({
      reason: 'captured',
      method: 'POST',
      contract: '0123456789ab',
      headers: { 'user-agent': 'sms/1' },
    });
  });

  it('masks a number in the path of the request, unless --reveal', async () => {
    const url = 'https://x.test/webhooks/sms/m-17/%2B12025550143/delivered?key=1';
    const parked = entry(-1, { reason: 'signature-mismatch', method: 'POST', url });
    const show = quarantine([parked]);
    expect((await show('show', parked.id)).out).toContain(
      'Request   POST https://x.test/webhooks/sms/m-17/%2B•••0143/delivered\n',
    );
    expect((await show('show', parked.id, '--reveal')).out).toContain('/m-17/%2B12025550143/delivered\n');
  });

  it.each([
    [body, 'Kept      the whole body, 29 bytes\n'],
    [body, '\n\n{"to": +12025550143\nnext\n'],
    [old, 'Nothing was received.'],
    [entry(-1, { reason: 'not-utf8', raw: Uint8Array.of(0xff, 0x1b) }), 'are not text: --raw writes them'],
    [entry(-1, { reason: 'too-deep', raw: Buffer.from('['.repeat(9) + ']'.repeat(9)) }), '[\n  [\n'],
    [
      entry(-1, { reason: 'too-deep', raw: Buffer.from('['.repeat(5000) + ']'.repeat(5000)) }),
      `\n${'['.repeat(5000)}${']'.repeat(5000)}\n`,
    ],
  ])('shows a body that is not an event: case %#', async (one, text) => {
    expect((await quarantine([one])('show', one.id, '--reveal')).out).toContain(text);
  });

  it.each([
    ['missing-field', 'fix the contract and deploy it, then sms quarantine replay'],
    ['captured', 'find the contract with sms contract discover, deploy it, then sms quarantine replay'],
    [
      'signature-mismatch',
      'correct the secret or webhook.signature of the contract, then sms quarantine replay',
    ],
    ['storage-refused', undefined],
  ] as const)('says what to do next about %s', async (reason, next) => {
    const one = entry(-1, { reason });
    const { out } = await quarantine([one])('show', one.id);
    expect(/^Next +(.+)$/m.exec(out)?.[1]).toBe(next);
  });

  it('writes the received bytes unchanged', async () => {
    const raw = Uint8Array.of(0, 0xff, 0x0d, 0x0a, 0x1b);
    const one = entry(-1, { raw });
    expect(await quarantine([one])('show', one.id, '--raw')).toEqual({
      code: 0,
      out: '',
      err: '',
      bytes: '00ff0d0a1b',
    });
  });

  it('does not write bytes to a terminal', async () => {
    const { code, err, bytes } = await quarantine([body], { columns: 80 })('show', body.id, '--raw');
    expect([code, bytes]).toEqual([2, undefined]);
    expect(err).toContain('pipe them into a file or a command');
  });

  it.each(['2026-01-15T11:59:30.000Z#req-99#body', 'no id', '--raw=x'])(
    'fails with a clear line where there is no entry: %s',
    async (id) => {
      const { code, out, err } = await sms('show', '--', id);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(`error: No entry "${id}" in quarantine.`);
    },
  );
});
