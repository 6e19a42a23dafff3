import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contractHash, identityHash } from '../../../../../contract/events/identity.ts';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import { maskCredential } from '../../../../../contract/signature/webhook-request.ts';
import type { TimelineEntry } from '../../../../../functions/history/message.ts';
import { type QuarantinedEntry, quarantineId } from '../../../../../functions/quarantine/quarantine.ts';
import { shippedContract, shippedContractJson } from '../../../../../tools/support/contracts.ts';
import { commandLine, message, noonPlus, reply } from '../../support/harness.ts';
import { quarantineOf } from '../../support/lists.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const temporary = temporaryDirectory();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const hash = contractHash(shippedContract);

function file(name: string, content: unknown): string {
  const path = join(temporary, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const contract = file('contract.json', shippedContractJson);
const secretFile = file('secret', secret);

function entry(second: number, json: unknown, fields: Partial<QuarantinedEntry>): QuarantinedEntry {
  const where = { receivedAt: noonPlus(second * 1000), requestId: `req${second}` };
  const { index } = fields;
  const id = quarantineId({ ...where, ...(index === undefined ? {} : { index }) });
  return { ...where, id, reason: 'no-events', raw: Buffer.from(JSON.stringify(json)), ...fields };
}

const data = { id: 'm-1', to: '+12025550143', status: 'sent', occurred_at: '2026-01-15T12:00:05Z' };
const report = { type: 'sms.status', data };

/** Of a request with the signature of the shipped contract. */
function parked(
  second: number,
  json: unknown,
  fields: Partial<QuarantinedEntry> & Pick<QuarantinedEntry, 'reason'>,
): QuarantinedEntry {
  const url = 'https://hooks.example.com/sms';
  const raw = Buffer.from(JSON.stringify(json));
  const request = { body: raw, id: 'evt-1', now: Date.parse(noonPlus(second * 1000)), url };
  return entry(second, json, {
    url,
    headers: signRequest(shippedContract.webhook.signature, request, secret),
    ...fields,
  });
}

function diff(entries: readonly QuarantinedEntry[], ...args: string[]) {
  return diffBy(contract, entries, ...args);
}

function diffBy(path: string, entries: readonly QuarantinedEntry[], ...args: string[]) {
  const { sms } = commandLine({ connection: { quarantine: async () => quarantineOf(entries) } });
  return sms('contract', 'diff', '--against', 'quarantine', '--contract', path, ...args);
}

describe('contract diff against the quarantine', () => {
  const lacking = { reason: 'missing-field', field: 'status', contract: 'aaaaaaaaaaaa' } as const;
  const identity = identityHash(shippedContract);
  const entries = [
    entry(-60, report, { ...lacking, index: 0, identity }),
    entry(-61, report, { ...lacking, index: 1, identity }),
    entry(-62, { type: 'other' }, { reason: 'unknown-kind', field: 'kind', index: 0, contract: hash }),
    entry(-63, report, { reason: 'message-full', index: 0 }),
    entry(-200_000, report, {}),
  ];

  it('groups what each entry would be read as', async () => {
    const { code, out, err } = await diff(entries);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Contract ${hash} and 4 quarantine entries, 2026-01-14 09:00:00 -03:00 to`);
    expect(out).toContain('2        missing-field (status)  aaaaaaaaaaaa  sms.status ');
    expect(out).toMatch(/1 +unknown-kind \(kind\) +this one +unknown-kind \(kind\) /);
    expect(out).toMatch(/1 +message-full +unknown +message-full, whatever the contract /);
    expect(out).toContain('2 of 4 hold an event that this contract reads, and can be sent.');
    expect(out).not.toContain('5550143');
  });

  it('takes the newest, as many as are asked for', async () => {
    const { out } = await diff(entries, '--last', '1', '--since', '7d', '--json');
    expect(JSON.parse(out)).toMatchObject({
      contract: hash,
      entries: 1,
      replayable: 1,
      groups: [
        {
          count: 1,
          reason: 'missing-field (status)',
          contract: 'aaaaaaaaaaaa',
          becomes: ['sms.status'],
          examples: [entries[0]?.id],
        },
      ],
    });
  });

  it('verifies what was not, where a secret is given', async () => {
    const kept = [parked(-10, [report, { type: 'other' }], { reason: 'signature-mismatch' })];
    const [group] = JSON.parse((await diff(kept, '--json', '--secret-file', secretFile)).out).groups;
    expect(group).toMatchObject({ signature: 'verified', becomes: ['sms.status', 'unknown-kind (kind)'] });
    expect(JSON.parse((await diff(kept, '--json')).out).groups[0].signature).toBe('no-secret');
    const captured = [parked(-10, report, { reason: 'captured', method: 'POST' })];
    expect((await diff(captured, '--secret-file', secretFile)).out).toMatch(
      /captured +unknown +sms\.status +verified /,
    );
  });

  it('says of what it cannot take apart that it stays', async () => {
    const kept = [
      entry(-10, 'x', { reason: 'not-an-envelope' }),
      entry(-11, [], { reason: 'bad-time', index: 0 }),
    ];
    const { out } = await diff(kept);
    expect(out).toMatch(/not-an-envelope +unknown +no event that events\.list finds /);
    expect(out).toContain('0 of 2 hold an event');
  });

  it('verifies what was captured with its token masked, also after it was refused once', async () => {
    const token = 'Bearer a-token';
    const signature = { scheme: 'token', header: 'authorization', prefix: 'Bearer ', encoding: 'text' };
    const { webhook, events } = shippedContract;
    const json = {
      ...shippedContract,
      webhook: { ...webhook, signature },
      events: { ...events, id: { from: 'body', path: 'data.id' } },
      samples: [],
    };
    const path = file('token.json', json);
    const masked = { authorization: maskCredential(token, 'salt') };
    const captured = (reason: QuarantinedEntry['reason'], headers: Record<string, string>) =>
      parked(-10, report, { reason, method: 'POST', headers });
    const signatures = async (kept: QuarantinedEntry) =>
      JSON.parse((await diffBy(path, [kept], '--json', '--secret', 'a-token')).out).groups[0].signature;
    expect(await signatures(captured('captured', masked))).toBe('verified');
    expect(await signatures(captured('signature-mismatch', masked))).toBe('verified');
    // What nobody took for a credential then.
    expect(await signatures(captured('captured', { authorization: token }))).toBe('verified');
    expect(await signatures(parked(-10, report, { reason: 'signature-mismatch', headers: masked }))).toBe(
      'mismatch',
    );
  });

  it('promises no replay of what would stay, and says why', async () => {
    const kept = [
      entry(-10, report, { reason: 'events-dropped', signedId: 'evt-1' }),
      parked(-11, report, { reason: 'signature-mismatch', headers: {} }),
      entry(-12, report, { reason: 'bad-time' }),
    ];
    const { out } = await diff(kept);
    expect(out).toMatch(/events-dropped +unknown +sms\.status; stays \(unidentifiable\) /);
    expect(out).toMatch(/signature-mismatch +unknown +sms\.status; stays \(unverifiable\) +missing /);
    expect(out).toContain('Stays, 1: its events may be stored already');
    expect(out).toContain('Stays, 1: without what its signature was made over');
    expect(out).toContain('1 of 3 hold an event that this contract reads, and can be sent.');
    const { replayable, groups } = JSON.parse((await diff(kept, '--json')).out);
    expect(replayable).toBe(1);
    expect(groups).toMatchObject([
      { isReplayable: false, stays: 'unidentifiable' },
      { isReplayable: false, stays: 'unverifiable' },
      { isReplayable: true },
    ]);
  });

  it('has nothing to compare where there is none', async () => {
    expect((await diff([])).out).toMatch(/0 quarantine entries, .*: nothing to compare\.\n$/);
  });
});

describe('contract diff against the history', () => {
  const entries: TimelineEntry[] = [
    {
      kind: 'message',
      message: message('m-1', [
        { status: 'sent', second: 1 },
        { status: 'DELIVRD', second: 2 },
      ]),
    },
    { kind: 'reply', reply: reply('r-1', 3, 'text') },
    { kind: 'message', message: message('m-2', [{ status: 'failed', errorCode: '42', second: 1 }]) },
    { kind: 'message', message: message('m-3', [{ status: 'sent', second: 1 }]) },
  ];
  const changed = file('changed.json', {
    extends: './contract.json',
    statuses: { DELIVRD: 'delivered' },
    errors: { 42: 'unreachable' },
  });

  function against(size: number, ...args: string[]) {
    const historyExport = {
      size: async () => ({ tableBytes: size, indexBytes: 0 }),
      async *entries() {
        yield* entries;
      },
    };
    const { sms } = commandLine({ connection: { historyExport: async () => historyExport } });
    return sms('contract', 'diff', '--against', 'history', '--contract', changed, ...args);
  }

  it('tells the words and codes that would mean something else', async () => {
    const { code, out, err } = await against(0);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/and 4 reports of 3 messages, .*: 2 would differ\n/);
    expect(out).toContain(
      [
        'word "DELIVRD": DELIVRD -> delivered (1)',
        'error code "42": no reason -> unreachable (1)',
        'messages: sent -> delivered (1)',
      ].join('\n'),
    );
    expect(out).toContain('Not compared: webhook and events.');
  });

  it('stops after as many reports as are asked for', async () => {
    expect(JSON.parse((await against(0, '--last', '1', '--json')).out)).toMatchObject({
      messages: 1,
      reports: 2,
      isPart: true,
    });
    expect((await against(0, '--last', '2')).out).toMatch(
      /and 2 reports of 1 messages, .* \(any of that time, not the newest\): 1 would differ\n/,
    );
    expect((await against(0, '--last', '4')).out).not.toContain('not the newest)');
  });

  it('of a large history is only done with --yes', async () => {
    expect(await against(12e9)).toMatchObject({ code: 2, err: expect.stringContaining('12.0 GB') });
    expect((await against(12e9, '--yes')).code).toBe(0);
  });
});

it('has to be told what to compare with', async () => {
  const { code, err } = await commandLine().sms('contract', 'diff');
  expect([code, err]).toEqual([2, expect.stringContaining('--against')]);
});
