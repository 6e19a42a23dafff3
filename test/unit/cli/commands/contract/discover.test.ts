import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../../../../cli/input/contract-file.ts';
import type { Terminal } from '../../../../../cli/target/context.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import { requestForm } from '../../../../../contract/schema/request-form.ts';
import { createVerifier } from '../../../../../contract/signature/verify.ts';
import {
  type QuarantinedEntry,
  quarantineId,
} from '../../../../../functions/receive/quarantine/quarantine.ts';
import { shippedContractJson } from '../../../../../tools/support/contracts.ts';
import { memoryQuarantine } from '../../../../support/fakes/quarantine.ts';
import { commandLine, noonPlus } from '../../support/harness.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const file = temporaryFiles();
const secret = 'a secret that is hard to guess';
const url = 'https://hooks.example.com/webhooks/sms';
let files = 0;

/** A new contract's file, the shipped one where nothing else is said. */
function contractFile(json: unknown = shippedContractJson): string {
  return file(`contract-${files++}.json`, json);
}

const secretFile = file('secret.txt', `${secret}\n`);

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly receivedAt: string;
}

/** The requests of an unknown service in the last minutes: a list of events in each body, signed with its time. */
function sentBy(count: number, forKinds: 'both' | 'reports' = 'both', extra: object = {}): readonly Sent[] {
  return Array.from({ length: count }, (_, index) => {
    const second = index - 600;
    const stamp = Date.parse(noonPlus(second * 1000));
    const message = 900_000 + Math.floor(index / 2);
    const person = `12025550${String(120 + Math.floor(index / 2))}`;
    const isReply = forKinds === 'both' && index % 5 === 4;
    const event = isReply
      ? {
          event: 'MO',
          mo: { reply_ref: `r-${index}00`, msisdn: person, shortcode: '22555', body: `See you, ${index}` },
        }
      : {
          event: 'DLR',
          dlr: {
            ref: message,
            msisdn: person,
            state: ['ENROUTE', 'DELIVRD', 'UNDELIV', 'DELIVRD'][index % 4],
            ...(index % 4 === 2 ? { err_code: 33, err_text: `absent subscriber ${person}` } : {}),
          },
        };
    const body = JSON.stringify({ batch: { items: [{ ...event, at: stamp, ...extra }] } });
    return signed(body, noonPlus(second * 1000 + 400));
  });
}

/** Signs a body as the service does: with the second in which it was received. */
function signed(body: string, receivedAt: string): Sent {
  const time = String(Math.floor(Date.parse(receivedAt) / 1000));
  const signature = createHmac('sha256', secret).update(`${time}:${body}`).digest('hex');
  return {
    body,
    headers: { 'Content-Type': 'application/json', 'X-Acme-Time': time, 'X-Acme-Sign': `v1=${signature}` },
    receivedAt,
  };
}

function captureFile(sent: readonly Sent[]): string {
  return file(
    `capture-${files++}.json`,
    sent.map((one) => ({ url, ...one })),
  );
}

function discover(...args: readonly string[]) {
  return commandLine().sms('contract', 'discover', ...args);
}

/** The arguments for a contract, what was sent and its secret. */
function argsFor(path: string, sent: readonly Sent[]) {
  return ['--file', captureFile(sent), '--secret-file', secretFile, '--contract', path];
}

/** How many of what was sent a contract verifies, and the events it reads in it. */
async function readBy(path: string, sent: readonly Sent[]) {
  const contract = await readContract(path);
  const verify = createVerifier(contract.webhook.signature, requestForm(contract.webhook, undefined));
  const map = createMapper(contract);
  return sent.flatMap(({ headers, body: text, receivedAt }) => {
    const body = Buffer.from(text);
    return verify({ headers, body, url }, [secret], Date.parse(receivedAt)).kind === 'verified'
      ? map(body, undefined, receivedAt).flatMap((one) => (one.kind === 'event' ? [one.event] : []))
      : [];
  });
}

describe('contract discover', () => {
  it('finds signature and mapping, and writes a contract that reads all of it', async () => {
    const path = contractFile();
    const sent = sentBy(40);
    const args = argsFor(path, sent);
    const { code, out, err } = await discover(...args, '--write', '--accept-guesses');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('fits 40 of 40 requests');
    expect(out).toContain('"signedContent": "{timestamp}:{body}"');
    expect(out).toMatch(/events\.list +batch\.items\[\] +certain/);
    expect(out).toContain('Read by it: 40 of 40 captured events.');
    expect(out).toContain('+ statuses.DELIVRD: "delivered"');
    expect(out).toContain('quarantine replay');
    const events = await readBy(path, sent);
    expect(events).toHaveLength(40);
    expect(events[0]).toMatchObject({
      kind: 'sms.status',
      messageId: '900000',
      phone: '+12025550120',
      status: 'sent',
      word: 'ENROUTE',
      occurredAt: noonPlus(-600_000),
    });
    expect(events[4]).toMatchObject({
      kind: 'sms.reply',
      replyId: 'r-400',
      from: '+12025550122',
      text: 'See you, 4',
    });
    expect(events[2]).toMatchObject({ errorCode: '33', errorReason: 'unreachable' });
  });

  it('neither shows nor writes numbers, texts or secrets', async () => {
    const path = contractFile();
    const args = argsFor(path, sentBy(40));
    const { out } = await discover(...args, '--write', '--accept-guesses');
    const json = await discover(...args, '--json');
    for (const text of [out, json.out, readFileSync(path, 'utf8')])
      expect(text).not.toMatch(/2025550(?:12|13)|See you|absent subscriber|hard to guess/);
    expect(readFileSync(path, 'utf8')).not.toMatch(/9000[01]\d|r-\d+00/);
    expect((await discover(...args, '--reveal')).out).toMatch(/12025550122[\s\S]*See you, 4/);
  });

  it('reads captured requests and stored secrets, and maps only requests that verify', async () => {
    const forged = { body: '{"batch":{}}', headers: { 'X-Acme-Sign': 'v1=00' }, receivedAt: noonPlus(-1) };
    const entries = [...sentBy(10), forged].map(({ body, headers, receivedAt }, index): QuarantinedEntry => {
      const where = { receivedAt, requestId: `request-${index}` };
      const request = { method: 'POST', url, headers, raw: Buffer.from(body) };
      return { ...where, id: quarantineId(where), reason: 'captured', ...request };
    });
    const current = { secret, since: noonPlus(-60_000) };
    const { sms } = commandLine({
      connection: {
        quarantine: async () => memoryQuarantine(entries),
        webhookSecret: async () => ({ version: 1, current }),
      },
    });
    const { code, out } = await sms(
      ...['contract', 'discover', '--from-quarantine', '--secret-from-service', '--local'],
      ...['--write', '--accept-guesses', '--contract', contractFile()],
    );
    expect(code).toBe(0);
    expect(out).toContain('fits 10 of 11 requests');
    expect(out).toContain('in 10 of 11 requests, without 1 request whose signature does not verify');
    expect(out).toContain('Next: the running pipeline reloads it within seconds; then');
  });

  it('says what a body is that it does not read, and what to do', async () => {
    const bodies = ['<dlr><id>1</id></dlr>', '<dlr><id>2</id></dlr>', ''];
    const sent = bodies.map((body) => ({ body, headers: {}, receivedAt: noonPlus(-1) }));
    const args = argsFor(contractFile(), sent);
    const { code, out, err } = await discover(...args);
    expect(code).toBe(1);
    expect(out).toContain(
      '2 bodies are XML, which a contract cannot read. Let the service send JSON or a form',
    );
    expect(out).toContain('1 body is empty, and the URL has no values either.');
    expect(out + err).not.toContain('not-json');
    expect(JSON.parse((await discover(...args, '--json')).out).bodies).toEqual({
      used: 3,
      readable: 0,
      others: [
        { kind: 'xml', count: 2 },
        { kind: 'empty', count: 1 },
      ],
    });
  });

  it('asks for the zone of times without one, and accepts only a zone', async () => {
    const sent = sentBy(20, 'reports').map(({ receivedAt, body }) => {
      const local = new Date(Date.parse(receivedAt) - 5 * 3_600_000).toISOString().slice(0, 19);
      return signed(body.replace(/"at":\d+/, `"at":"${local.replace('T', ' ')}"`), receivedAt);
    });
    const path = contractFile();
    const proposals = JSON.parse((await discover(...argsFor(path, sent), '--json')).out).proposals;
    expect(proposals).toContainEqual(
      expect.objectContaining({ place: 'events.timeZone', value: '-05:00', certain: false }),
    );
    const answers = ['New York', 'America/New_York'];
    let about = '';
    const errors: string[] = [];
    const terminal: Partial<Terminal> = {
      err: (text) => {
        about = /^((?:events|statuses|errors)\.\S+):/.exec(text)?.[1] ?? about;
        errors.push(text);
      },
      ask: async () => (about === 'events.timeZone' ? (answers.shift() ?? '') : ''),
    };
    const { sms } = commandLine({ terminal });
    expect((await sms('contract', 'discover', ...argsFor(path, sent), '--write')).code).toBe(0);
    expect(errors.join('')).toContain('Expected a zone, such as America/New_York or +05:30.');
    expect((await readContract(path)).events.timeZone).toBe('America/New_York');
    expect((await readBy(path, sent))[0]).toMatchObject({ occurredAt: noonPlus(-600_000) });
  });

  it('explains how to capture when nothing was captured', async () => {
    const { sms } = commandLine({ connection: { quarantine: async () => memoryQuarantine([]) } });
    const { code, err } = await sms('contract', 'discover', '--local');
    expect(code).toBe(1);
    expect(err).toContain('Nothing was captured since 2026-01-14 09:00:00 -03:00. If a capture is on');
    expect(err).toContain('contract capture on --for 2h --local');
  });

  it('writes no guess that was not accepted', async () => {
    const path = contractFile();
    const before = readFileSync(path, 'utf8');
    const args = argsFor(path, sentBy(10, 'reports'));
    const { code, out, err } = await discover(...args, '--write');
    expect(code).toBe(1);
    expect(out).toMatch(/events\.reply\.text +dlr\.text +guessed +no reply was captured: by analogy/);
    expect(err).toMatch(/Nothing was written: \d+ places are guessed\. --accept-guesses accepts the guesses/);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('asks about guesses on a terminal: Enter accepts one, "-" is none, other text replaces it', async () => {
    const path = contractFile();
    const answers: Record<string, readonly string[]> = {
      'events.reply.messageId': ['-'],
      'events.reply.from': ['-', 'mo..from', 'mo.sender'],
      'events.reply.text': ['mo.words'],
      'statuses.WEIRD': ['arrived', 'delivered'],
    };
    const asked = new Map<string, number>();
    let about = '';
    const terminal: Partial<Terminal> = {
      err: (text) => {
        about = /^((?:events|statuses|errors)\.\S+):/.exec(text)?.[1] ?? about;
      },
      ask: async () => {
        const turn = asked.get(about) ?? 0;
        asked.set(about, turn + 1);
        return answers[about]?.[turn] ?? '';
      },
    };
    const odd = sentBy(10, 'reports').map((one) => ({ ...one, body: one.body.replace('ENROUTE', 'WEIRD') }));
    const { code } = await commandLine({ terminal }).sms(
      ...['contract', 'discover', '--file', captureFile(odd), '--contract', path, '--write'],
    );
    expect(code).toBe(0);
    const { events, statuses } = await readContract(path);
    expect(events.reply).toMatchObject({
      messageId: null,
      from: 'mo.sender',
      text: 'mo.words',
      replyId: 'dlr.ref',
    });
    expect(statuses).toMatchObject({ WEIRD: 'delivered', read: 'read' });
    expect([asked.get('events.reply.from'), asked.get('statuses.WEIRD')]).toEqual([3, 2]);
  });

  it('writes only the mapping when no scheme fits, and nothing when nothing is found', async () => {
    const path = contractFile();
    const sent = captureFile(sentBy(10));
    const wrong = await discover(
      '--file',
      sent,
      '--secret',
      'wrong',
      '--contract',
      path,
      '--write',
      '--accept-guesses',
    );
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('Only a part was written. No signature scheme was found: webhook.signature');
    expect(wrong.out).toContain('Signature: not found');
    expect(wrong.out).toContain('No signature scheme was found: webhook.signature stays as it is.');
    expect(wrong.err).toContain('warning: a secret on the command line');
    const { webhook, events } = await readContract(path);
    expect([webhook.signature.scheme, 'header' in webhook.signature && webhook.signature.header]).toEqual([
      'hmac',
      'webhook-signature',
    ]);
    expect(events.list).toBe('batch.items[]');
    const ping = captureFile([{ body: '{"hello":"world"}', headers: {}, receivedAt: noonPlus(0) }]);
    const unknown = await discover('--file', ping, '--secret', 'x', '--contract', path);
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('Neither a signature scheme nor'),
    ]);
    expect(unknown.out).toContain('Signature: not found; there was nothing to try\n');
    expect(unknown.out).toContain('1 event looked like neither a delivery report nor a reply: ignored.');
    const nothing = await discover('--file', ping, '--contract', path, '--write', '--accept-guesses');
    expect([nothing.code, nothing.out]).toEqual([1, expect.stringContaining('No event was recognised.')]);
    expect(nothing.err).toContain('Nothing was written: neither a signature scheme nor a mapping was found.');
  });

  it('asks for an id that no field is named like, with candidates, and writes only the signature without it', async () => {
    // With one report of each message, no field behaves like the id of a message.
    const firsts = sentBy(12, 'reports').filter((_, index) => index % 2 === 0);
    const odd = firsts.map((one) => signed(one.body.replace('"ref":', '"xq":'), one.receivedAt));
    const half = await discover(...argsFor(contractFile(), odd), '--write', '--accept-guesses');
    expect(half.code).toBe(1);
    expect(half.err).toMatch(
      /Only a part was written\. The mapping stays as it is: not found: events\.status\.messageId \(perhaps batch\.items\[0\]\.dlr\.xq/,
    );
    const path = contractFile();
    let about = '';
    const terminal: Partial<Terminal> = {
      err: (text) => {
        about = /^((?:events|statuses|errors)\.\S+):/.exec(text)?.[1] ?? about;
      },
      ask: async () => (about === 'events.status.messageId' ? '1' : ''),
    };
    const args = ['contract', 'discover', ...argsFor(path, odd), '--write'];
    expect(await commandLine({ terminal }).sms(...args)).toMatchObject({ code: 0 });
    expect((await readContract(path)).events.status.messageId).toBe('batch.items[0].dlr.xq');
  });

  it('leaves the file unchanged when it cannot be written', async () => {
    const path = contractFile();
    mkdirSync(`${path}.new`);
    const before = readFileSync(path, 'utf8');
    const args = argsFor(path, sentBy(20));
    const { code, err } = await discover(...args, '--write', '--accept-guesses');
    expect([code, err]).toEqual([
      1,
      `error: ${path} cannot be written (ERR_FS_EISDIR); --contract names another file.\n`,
    ]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('keeps the extended contract, which describes no API, and writes only the differences', async () => {
    const path = contractFile({ extends: 'vonage-messages' });
    const sent = sentBy(20);
    const args = argsFor(path, sent);
    expect((await discover(...args, '--write', '--accept-guesses')).code).toBe(0);
    const written = JSON.parse(readFileSync(path, 'utf8'));
    expect(Object.keys(written).join()).toBe('extends,webhook,events,statuses,errors,samples');
    expect(written.webhook).not.toHaveProperty('bodyFormat');
    expect(written.webhook.signature.scheme).toBe('hmac');
    expect(written.statuses).toEqual({ ENROUTE: 'sent', DELIVRD: 'delivered', UNDELIV: 'undelivered' });
    expect(await readBy(path, sent)).toHaveLength(20);
    const again = await discover(...args, '--write', '--accept-guesses');
    expect(again.out).toContain('contains all of that already');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(written);
  });
});
