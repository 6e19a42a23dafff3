import { describe, expect, it } from 'vitest';
import { contractHash, identityHash } from '../../../../../contract/events/body.ts';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import {
  type QuarantinedEntry,
  quarantineId,
} from '../../../../../functions/receive/quarantine/quarantine.ts';
import { shippedContract, shippedContractJson } from '../../../../../tools/support/contracts.ts';
import { memoryQuarantine } from '../../../../support/fakes/quarantine.ts';
import { commandLine, noonPlus } from '../../support/harness.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const file = temporaryFiles();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const hash = contractHash(shippedContract);

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

/** Makes an entry of a request that is signed by the shipped contract. */
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
  const { sms } = commandLine({ connection: { quarantine: async () => memoryQuarantine(entries) } });
  return sms('contract', 'diff', '--contract', path, ...args);
}

describe('contract diff', () => {
  const lacking = { reason: 'missing-field', field: 'status', contract: 'aaaaaaaaaaaa' } as const;
  const identity = identityHash(shippedContract);
  const entries = [
    entry(-60, report, { ...lacking, index: 0, identity }),
    entry(-61, report, { ...lacking, index: 1, identity }),
    entry(-62, { type: 'other' }, { reason: 'unknown-kind', field: 'kind', index: 0, contract: hash }),
    entry(-63, report, { reason: 'message-full', index: 0 }),
    entry(-200_000, report, {}),
  ];

  it('groups entries by how the contract would read them', async () => {
    const { code, out, err } = await diff(entries, '--against', 'quarantine');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Contract ${hash} and 4 quarantine entries, since 2026-01-14 09:00:00 -03:00\n`);
    expect(out).toContain('2        missing-field (status)  aaaaaaaaaaaa  sms.status ');
    expect(out).toMatch(/1 +unknown-kind \(kind\) +this one +unknown-kind \(kind\) /);
    expect(out).toMatch(/1 +message-full +unknown +message-full, whatever the contract /);
    expect(out).toContain('2 of 4 hold an event that this contract reads, and can be sent.');
    expect(out).not.toContain('5550143');
    const ended = await diff(entries, '--until', '2026-01-15T12:00:00Z');
    expect(ended.out).toContain('2026-01-14 09:00:00 -03:00 to 2026-01-15 09:00:00 -03:00\n');
    expect((await diff([])).out).toMatch(/0 quarantine entries, .*: nothing to compare\.\n$/);
    expect((await diff(entries.slice(0, 1))).out).toContain(' and 1 quarantine entry, ');
    const unreadable = entry(-10, 'x', { reason: 'not-an-envelope' });
    expect((await diff([unreadable])).out).toMatch(/unknown +no event that events\.list finds /);
  });

  it('reads at most --last entries, the newest first', async () => {
    const { out } = await diff(entries, '--limit', '1', '--since', '7d', '--json');
    expect(JSON.parse(out)).toMatchObject({
      contract: hash,
      compared: 1,
      replayable: 1,
      entries: [
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

  it('verifies unverified entries when a secret is given', async () => {
    const kept = [parked(-10, [report, { type: 'other' }], { reason: 'signature-mismatch' })];
    const [group] = JSON.parse((await diff(kept, '--json', '--secret-file', secretFile)).out).entries;
    expect(group).toMatchObject({ signature: 'verified', becomes: ['sms.status', 'unknown-kind (kind)'] });
    expect(JSON.parse((await diff(kept, '--json')).out).entries[0].signature).toBe('no-secret');
    const captured = [parked(-10, report, { reason: 'captured', method: 'POST' })];
    expect((await diff(captured, '--secret-file', secretFile)).out).toMatch(
      /captured +unknown +sms\.status +verified /,
    );
  });

  it('explains which entries a replay would leave in quarantine', async () => {
    const kept = [
      entry(-10, report, { reason: 'events-dropped', signedId: 'evt-1' }),
      parked(-11, report, { reason: 'signature-mismatch', headers: {} }),
      entry(-12, report, { reason: 'bad-time' }),
    ];
    const { out } = await diff(kept);
    expect(out).toMatch(/events-dropped +unknown +sms\.status; stays \(unidentifiable\) /);
    expect(out).toMatch(/signature-mismatch +unknown +sms\.status; stays \(unverifiable\) +missing /);
    expect(out).toContain('Stays, 1: its events may be stored already');
    expect(out).toContain('Stays, 1: what the signature was made over was not kept');
    expect(out).toContain('1 of 3 hold an event that this contract reads, and can be sent.');
    const { replayable, entries: groups } = JSON.parse((await diff(kept, '--json')).out);
    expect(replayable).toBe(1);
    expect(groups).toMatchObject([
      { isReplayable: false, stays: 'unidentifiable' },
      { isReplayable: false, stays: 'unverifiable' },
      { isReplayable: true },
    ]);
  });
});
