import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import { shippedContract, shippedContractJson } from '../../../../../tools/support/contracts.ts';
import { commandLine } from '../../support/harness.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const file = temporaryFiles();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const url = 'https://hooks.example.com/sms';
const receivedAt = '2026-01-15T12:00:05.000Z';

const sampleCount = shippedContract.samples.length;

const contract = file('contract.json', shippedContractJson);
const secretFile = file('secret', `${secret}\n`);

const report = {
  type: 'sms.status',
  data: {
    id: 'm-1',
    to: '+12025550143',
    status: 'undelivered',
    occurred_at: '2026-01-15T12:00:05Z',
    error_message: 'no answer from +1 202 555 0143',
  },
};

/** A request that the shipped contract signed, as a capture. */
function capture(json: unknown, changed: Record<string, unknown> = {}) {
  const body = JSON.stringify(json);
  const request = { body: Buffer.from(body), id: 'evt-1', now: Date.parse(receivedAt), url };
  const headers = signRequest(shippedContract.webhook.signature, request, secret);
  return { method: 'POST', url, headers, body, receivedAt, ...changed };
}

function test(captures: unknown, ...args: string[]) {
  const { sms } = commandLine();
  return sms('contract', 'test', '--contract', contract, '--file', file('capture.json', captures), ...args);
}

describe('contract test', () => {
  it('with --all tests the contract of the project before those that ship', async () => {
    const broken = file('broken.json', '{ broken');
    const all = (path: string) => commandLine().sms('contract', 'test', '--all', '--contract', path);
    expect(await all(broken)).toMatchObject({ code: 1, err: expect.stringContaining(`${broken}: not JSON`) });
    expect((await all(contract)).out).toMatch(new RegExp(`^${contract}\n`));
  });

  it('notes that a contract describes a signature alone', async () => {
    const outOf = async (name: string) =>
      (await commandLine().sms('contract', 'test', '--contract', name)).out;
    expect(await outOf('standard-webhooks')).toContain('describes a signature alone');
    expect(await outOf('zenvia')).not.toContain('a signature alone');
  });

  it('names the origin of failing samples', async () => {
    const { service } = shippedContract;
    const own = file('words.json', { extends: 'zenvia', service, statuses: { SENT: 'queued' } });
    const { code, out } = await commandLine().sms('contract', 'test', '--contract', own);
    expect(code).toBe(1);
    expect(out).toContain('samples: these are inherited from zenvia and');
    const headers = file('headers.json', {
      extends: 'zenvia',
      service,
      webhook: { signature: { header: 'x-our-token' } },
    });
    const held = await commandLine().sms('contract', 'test', '--contract', headers);
    expect([held.code, held.out.includes('inherited')]).toEqual([0, false]);
  });

  it('says which values are kept as received, and what to set', async () => {
    const local = {
      ...report,
      data: { ...report.data, to: '4755550119', occurred_at: '2026-01-15 07:00:04' },
    };
    const { code, out } = await test(capture(local), '--secret-file', secretFile);
    expect(code).toBe(0);
    expect(out).toMatch(
      /occurredAt +2026-01-15 07:00:04 -> 2026-01-15T07:00:04\.000Z \(its zone is assumed\)/,
    );
    expect(out).toContain(
      '1 value of events.status.recipient was kept as received (ambiguous-number, such as •••0119)',
    );
    expect(out).toContain('times of events.status.occurredAt look like UTC-05:00 (1 event)');
    expect(out).toMatch(/→ Times: set "events\.timeZone"/);
    expect(out).not.toContain('4755550119');
    const { out: json } = await test(capture(local), '--secret-file', secretFile, '--json');
    expect(JSON.parse(json).contracts[0].requests.at(-1).events[0].unread).toMatchObject([
      { field: 'recipient', problem: 'ambiguous-number' },
      { field: 'occurredAt', problem: 'looks-like-UTC-05:00' },
    ]);
  });

  const token = { scheme: 'token', header: 'x-token' };
  /** A contract with one sample, a reply. */
  const withReply = (name: string, createdAt: string, becomes: object) =>
    file(`${name}.json`, {
      service: shippedContract.service,
      webhook: { acknowledge: { status: 200 }, bodyFormat: 'json', signature: token },
      events: {
        list: '[@]',
        kind: "'sms.reply'",
        id: { from: 'body', path: 'id' },
        timeFormat: 'iso8601',
        status: { messageId: 'id', status: 'state', occurredAt: 'at' },
        reply: { replyId: 'id', from: 'from', text: 'text', occurredAt: 'at' },
      },
      statuses: {},
      samples: [
        {
          name: 'a reply',
          body: { id: 'r-1', from: '4795550119', text: 'Yes', at: createdAt },
          becomes: [becomes],
        },
      ],
    });

  it('has notes on values of passing samples that were kept as received, and on assumed zones', async () => {
    // The time looks like UTC-02:00 only beside the receipt, which is invented.
    const path = withReply('notes', '2026-01-15 10:00:00', { replyId: 'r-1', from: '4795550119' });
    const { code, out } = await commandLine().sms('contract', 'test', '--contract', path);
    expect(code).toBe(0);
    expect(out.split('\n').slice(1)).toEqual([
      'ok      sample 1 "a reply", 1 event',
      'note    1 value of events.reply.from was kept as received (ambiguous-number, such as •••0119)',
      'note    1 time of events.reply.occurredAt had no zone',
      expect.stringMatching(/^→ Ambiguous numbers: /),
      expect.stringMatching(/^→ Times: /),
      '',
    ]);
    const exact = withReply('exact', '2026-01-15T10:00:00Z', { replyId: 'r-1' });
    expect((await commandLine().sms('contract', 'test', '--contract', exact)).out).not.toContain('zone');
  });

  it.each([
    ['phone', 'event 1: a reply has no field "phone"; its number is "from"'],
    ['status', 'event 1: a reply has no field "status"; its fields are kind, eventId, replyId, '],
  ])('explains a field that a reply never has: %s', async (field, problem) => {
    const path = withReply(field, '2026-01-15T10:00:00Z', { [field]: '+12025550119' });
    const { code, out } = await commandLine().sms('contract', 'test', '--contract', path);
    expect([code, out]).toEqual([1, expect.stringContaining(problem)]);
  });

  it('shows step by step how a captured request is read, with masked numbers', async () => {
    const { code, out, err } = await test(capture(report), '--secret-file', secretFile);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('request 1, signature verified, 1 event\n');
    expect(out).toMatch(/event 1: sms\.status, id evt-1\n/);
    expect(out).toMatch(/recipient +•••0143 +data\.to\n/);
    expect(out).toMatch(/status +undelivered -> undelivered \(failure\) +data\.status\n/);
    expect(out).toMatch(/occurredAt +2026-01-15T12:00:05Z -> 2026-01-15T12:00:05\.000Z +data\.occurred_at\n/);
    expect(out).toMatch(/errorText +a text of 30 characters +data\.error_message\n/);
    expect(out).not.toContain('5550143');
    expect(out).not.toContain(secret);
    const revealed = await test(capture(report), '--secret-file', secretFile, '--reveal');
    expect(revealed.out).toMatch(/recipient +\+12025550143 +data\.to\n/);
  });

  it.each([
    ['status', 'a private matter', 'a text of 16 characters: not in "statuses"'],
    ['status', 'x'.repeat(65), 'a text of 65 characters: not in'],
    ['status', '12025550143', '•••0143: not in'],
    ['send_id', 'a private matter', 'a text of 16 characters '],
    ['send_id', '(202) 555-0143', '•••0143 '],
    ['send_id', '+12025550143', '•••0143 '],
    ['send_id', '20260115120005', '20260115120005 '],
    ['error_code', 12025550143, '•••0143 '],
    ['error_code', 30003, '30003 '],
    ['to', 'a private matter', 'a text of 16 characters '],
    ['to', '202 555 0143', '•••0143 '],
    ['to', '22555', '•••5 '],
    ['occurred_at', 'a private matter', 'a text of 16 characters '],
    ['occurred_at', 'soon', 'soon '],
  ])(
    'shows of what a wrong expression may have found no text and no number: %s %s',
    async (key, value, shown) => {
      const { out } = await test(capture({ ...report, data: { ...report.data, [key]: value } }));
      expect(out).toMatch(new RegExp(`\n +\\w+ +${shown}.* data\\.${key}\n`));
      expect(out).not.toContain('private');
      expect(out).not.toMatch(/555.?0143/);
    },
  );

  it('reads the query of a GET', async () => {
    const webhook = { method: 'GET', bodyFormat: 'form', signature: { scheme: 'none', anyoneMayPost: true } };
    const own = file('get.json', {
      extends: 'twilio',
      service: shippedContract.service,
      webhook,
      samples: [],
    });
    const query = 'MessageSid=SM1&MessageStatus=delivered&To=%2B12025550143&From=%2B12025550100';
    const captured = { method: 'GET', url: `${url}?${query}`, headers: {}, body: '', receivedAt };
    const { sms } = commandLine();
    const { code, out, err } = await sms(
      'contract',
      'test',
      '--contract',
      own,
      '--file',
      file('get-capture.json', captured),
    );
    expect([err, code, out]).toEqual(['', 0, expect.stringContaining('SM1')]);
  });

  it('verifies and reads a request by the form of its method', async () => {
    const own = file('two-methods.json', {
      extends: 'messagebird-sms',
      service: shippedContract.service,
      samples: [],
      webhook: {
        signature: { scheme: 'token', query: 'token' },
        also: { method: 'POST', bodyFormat: 'json', signature: { scheme: 'token', header: 'x-token' } },
      },
    });
    const captured = {
      method: 'POST',
      url,
      receivedAt,
      headers: { 'x-token': 'invented-token' },
      body: '{"id":"r1","originator":"12025550143","body":"hello","createdDatetime":"2026-01-15T12:00:00Z"}',
    };
    const { sms } = commandLine();
    const { code, out, err } = await sms(
      ...['contract', 'test', '--contract', own, '--file', file('post-capture.json', captured)],
      ...['--secret-file', file('token.txt', 'invented-token')],
    );
    expect([err, code, out]).toEqual(['', 0, expect.stringContaining('verified')]);
    expect(out).toContain('r1');
  });

  it('suggests keys for an expression that finds nothing', async () => {
    const { status: state, ...rest } = report.data;
    const { code, out, err } = await test(
      capture({ type: 'sms.status', data: { ...rest, state } }),
      '--secret-file',
      secretFile,
    );
    expect(code).toBe(1);
    expect(err).toBe(`error: 1 of ${sampleCount + 1} requests failed.\n`);
    expect(out).toContain('event 1: missing-field (status): a field that the contract requires is missing\n');
    expect(out).toContain('status: data.status gives nothing; there are data.state\n');
  });

  it('warns of a word that the contract does not list', async () => {
    const { code, out } = await test(capture({ ...report, data: { ...report.data, status: 'gone' } }));
    expect(code).toBe(0);
    expect(out).toMatch(/status +gone: not in "statuses", so it never wins over a known one/);
  });

  it.each([
    [{}, [], 0, 'signature not verified: no secret'],
    [{ body: '{}' }, ['--secret-file', secretFile], 1, 'signature: does not fit the secret'],
    [{ headers: {} }, [], 1, 'signature: missing: webhook-signature, webhook-id, webhook-timestamp'],
    [
      { receivedAt: '2026-01-15T12:10:00Z' },
      ['--secret-file', secretFile],
      1,
      'signature: its timestamp (2026-01-15T12:00:05.000Z) is outside the replay window around its receipt',
    ],
    [{ receivedAt: undefined }, ['--secret-file', secretFile], 0, 'signature verified'],
  ])('describes the result of the signature: case %#', async (changed, args, expected, text) => {
    const { code, out } = await test(capture(report, changed), ...args);
    expect(out).toContain(text);
    expect(code).toBe(expected);
  });

  it('uses the stored secrets that were accepted at the receipt time', async () => {
    const document = {
      version: 1 as const,
      current: { secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX', since: '2026-01-15T12:00:00.000Z' },
      previous: { secret, validUntil: '2026-01-15T13:00:00.000Z' },
    };
    const path = file('kept.json', capture(report));
    const run = (webhookSecret: () => Promise<typeof document | undefined>) =>
      commandLine({ connection: { webhookSecret } }).sms(
        ...['contract', 'test', '--contract', contract, '--file', path, '--secret-from-service', '--local'],
      );
    expect((await run(async () => document)).out).toContain('signature verified');
    const { code, err } = await run(async () => undefined);
    expect([code, err]).toEqual([1, expect.stringContaining('no webhook was registered yet')]);
  });

  it('warns about a secret on the command line', async () => {
    const { code, out, err } = await test(capture(report), '--secret', secret);
    expect([code, out.includes('signature verified')]).toEqual([0, true]);
    expect(err).toMatch(/^warning: a secret on the command line stays in the shell's history/);
    expect(out + err).not.toContain(secret);
  });

  it('shows a failing sample of a contract that the pipeline would reject', async () => {
    const changed = JSON.parse(JSON.stringify(shippedContractJson));
    changed.samples[0].becomes[0].status = 'delivered';
    const path = file('changed.json', changed);
    const { code, out } = await commandLine().sms('contract', 'test', '--contract', path);
    expect(code).toBe(1);
    expect(out).toContain('event 1: expected status "delivered", the mapping gives "undelivered"\n');
  });

  it.each([
    [['--file', '/tmp/none/none'], 'none: cannot be read (ENOENT: no such file or directory)'],
    [
      ['--secret-file', '/tmp/none/none'],
      'none: cannot be read (ENOENT: no such file or directory); --secret-file',
    ],
    [['--secret-file', '/dev/null'], 'holds no secret'],
    [['--contract', '/tmp/none/none'], 'none" is neither a file nor a preset.'],
  ])('refuses %j', async (args, message) => {
    const outcome = await commandLine().sms('contract', 'test', ...args);
    expect([outcome.code, outcome.out]).toEqual([1, '']);
    expect(outcome.err).toContain(message);
  });
});
