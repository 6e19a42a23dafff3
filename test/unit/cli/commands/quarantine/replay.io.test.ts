import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Wait } from '../../../../../cli/target/context.ts';
import type { Envelope } from '../../../../../functions/receive/envelope.ts';
import {
  type QuarantinedEntry,
  type QuarantineReason,
  quarantineId,
} from '../../../../../functions/receive/quarantine/quarantine.ts';
import { memoryQuarantine } from '../../../../support/fakes/quarantine.ts';
import { commandLine, noonPlus } from '../../support/harness.ts';

const readable = JSON.stringify({
  type: 'sms.status',
  data: { id: 'msg-1', to: '+12025550143', status: 'sent', occurred_at: '2026-01-15T12:00:00.000Z' },
});

function entry(requestId: string, reason: QuarantineReason, raw = readable, second = -60): QuarantinedEntry {
  const where = { receivedAt: noonPlus(second * 1000), requestId };
  return { ...where, id: quarantineId(where), reason, raw: Buffer.from(raw), signedId: 'evt' };
}

interface Behaviour {
  send?(envelope: Envelope): Promise<void>;
  remove?(id: string): Promise<void>;
  wait?: Wait;
}

/** A quarantine that is held in memory, and in which order its entries were sent and removed. */
function quarantineWith(entries: readonly QuarantinedEntry[], behaviour: Behaviour = {}) {
  const calls: string[] = [];
  const kept = new Map(entries.map((one) => [one.id, one]));
  const { send = async () => {}, remove = async () => {}, wait = async () => true } = behaviour;
  const { sms } = commandLine({
    connection: {
      quarantine: async () => ({
        list: (query, page) => memoryQuarantine([...kept.values()]).list(query, page),
        entry: async (id) => kept.get(id),
      }),
      requeue: async () => ({
        send: async (envelope) => {
          await send(envelope);
          calls.push(`sent ${envelope.requestId}`);
        },
        remove: async (id) => {
          await remove(id);
          kept.delete(id);
          calls.push(`removed ${id}`);
        },
      }),
    },
    wait,
  });
  return { sms: (...args: string[]) => sms('quarantine', 'replay', ...args), calls, kept };
}

const bad = entry('bad', 'bad-time');
const denied = Object.assign(new Error('no'), { name: 'AccessDenied', $metadata: {} });

describe('quarantine replay', () => {
  it('sends entries that the contract reads, removes them, and counts by reason', async () => {
    const still = entry('still', 'bad-time', readable.replace('2026-01-15', 'never'));
    const empty = entry('empty', 'empty-body', '');
    const { sms, calls, kept } = quarantineWith([bad, still, empty]);
    const { code, out, err } = await sms();
    expect([code, err]).toEqual([0, '']);
    expect(calls).toEqual(['sent bad~body', `removed ${bad.id}`]);
    expect([...kept.keys()].sort()).toEqual([empty.id, still.id].sort());
    expect(out.split('\n')).toEqual([
      'REASON      SENT  NOT SENT',
      'bad-time    1     1',
      'empty-body  0     1',
      '',
      'Not sent, 2: the contract still cannot read them.',
      '',
      'The worker processes them within seconds. Entries that fail again return to quarantine.',
      '',
    ]);
    expect(out).not.toContain('2025550143');
  });

  it('accepts a reason, a range, or one entry', async () => {
    const old = entry('old', 'bad-time', readable, -3 * 86_400);
    const full = entry('full', 'message-full');
    for (const [args, sent] of [
      [[], ['sent bad~body', 'sent full~body']],
      [['--reason', 'message-full'], ['sent full~body']],
      [
        ['--since', '1w', '--reason', 'bad-time'],
        ['sent bad~body', 'sent old~body'],
      ],
      [['--since', '1w', '--until', '2d'], ['sent old~body']],
      [['--id', old.id], ['sent old~body']],
    ] as const) {
      const { sms, calls } = quarantineWith([bad, old, full]);
      expect((await sms(...args)).code).toBe(0);
      expect(calls.filter((call) => call.startsWith('sent')).sort()).toEqual(sent);
    }
  });

  it('accepts a CSV, whose entries are verified even after a mismatched signature', async () => {
    const forged = entry('forged', 'signature-mismatch');
    const folder = mkdtempSync(join(tmpdir(), 'sms-replay-'));
    const file = join(folder, 'entries.csv');
    try {
      const { sms } = quarantineWith([bad, forged, entry('other', 'bad-time')]);
      writeFileSync(file, `id,reason\n${bad.id},bad-time\n${forged.id},signature-mismatch\n`);
      const { code, out } = await sms('--ids-file', file, '--dry-run');
      expect(code).toBe(0);
      expect(out).toMatch(/bad-time +1 +0/);
      expect(out).toContain('what the signature was made over was not kept, so it cannot be verified');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('removes no entry that the queue has not confirmed, and stops there', async () => {
    const { sms, kept } = quarantineWith([bad], { send: () => Promise.reject(denied) });
    const { code, out, err } = await sms();
    expect([code, kept.size]).toEqual([1, 1]);
    expect(out).toContain('could not be read, sent or removed');
    expect(err).toContain('AWS answered AccessDenied');
    expect(err).toContain('Run it again');
  });

  it('continues after an entry that always fails, and names it at the end', async () => {
    const many = Array.from({ length: 60 }, (_, index) => entry(`r${index}`, 'bad-time', readable, -index));
    const refuse = (error: Error) => async (envelope: Envelope) => {
      if (envelope.requestId === 'r0~body') throw error;
    };
    const stuck = quarantineWith(many, { send: refuse(denied) });
    const { code, err } = await stuck.sms();
    expect([code, [...stuck.kept.keys()]]).toEqual([1, [many[0]?.id]]);
    expect(err).toContain(`0 not reached`);
    expect(err).toContain(`The first is ${many[0]?.id}: AWS answered AccessDenied`);

    const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const offline = quarantineWith(many, { send: refuse(reset) });
    expect((await offline.sms()).err).toContain('10 not reached');
    const refused = quarantineWith(many, { send: () => Promise.reject(denied) });
    expect((await refused.sms()).err).toContain('10 not reached');
  });

  it('leaves entries with a mismatched signature unless they are asked for', async () => {
    const forged: QuarantinedEntry = {
      ...entry('forged', 'signature-mismatch'),
      url: 'https://x.test/',
      headers: {
        'webhook-id': 'evt',
        'webhook-signature': 'v1,AAAA',
        'webhook-timestamp': String(Date.parse(noonPlus(-60_000)) / 1000),
      },
    };
    const { sms, calls, kept } = quarantineWith([bad, forged]);
    const { code, out } = await sms();
    expect([code, [...kept.keys()]]).toEqual([0, [forged.id]]);
    const captured: QuarantinedEntry = { ...forged, reason: 'captured', method: 'POST' };
    expect((await quarantineWith([captured]).sms('--json')).out).toContain('"sent": 1');
    expect(out).toContain('Not sent, 1: the signature did not match; --reason signature-mismatch');
    for (const args of [
      ['--reason', 'signature-mismatch'],
      ['--id', forged.id],
    ])
      expect((await quarantineWith([forged]).sms(...args, '--json')).out).toContain('"sent": 1');
    expect(calls).toEqual(['sent bad~body', `removed ${bad.id}`]);
  });

  it('sends a body with stored events only with --accept-duplicates, and explains why', async () => {
    const dropped = entry('dropped', 'events-dropped');
    const { sms, calls, kept } = quarantineWith([dropped]);
    for (const args of [['--dry-run'], []]) {
      const { code, out } = await sms(...args);
      expect(code).toBe(0);
      expect(out).toContain('Not sent, 1: its events may be stored already');
      expect(out).toContain(
        `May be stored twice:\n  ${dropped.id}  events-dropped: the other events of this body are stored, and the rules`,
      );
      expect(out).toContain('--accept-duplicates sends these entries as well.');
    }
    expect(JSON.parse((await sms('--dry-run', '--json')).out)).toMatchObject({
      mayBeStoredTwice: [{ id: dropped.id, risk: 'body-stored' }],
    });
    expect([calls, kept.size]).toEqual([[], 1]);
    expect((await sms('--accept-duplicates')).code).toBe(0);
    expect(calls).toEqual(['sent dropped~body', `removed ${dropped.id}`]);
  });

  it('fails when an entry was sent and could not be removed', async () => {
    let isBroken = true;
    const { sms, calls, kept } = quarantineWith([bad], {
      remove: async () => {
        if (isBroken) throw denied;
      },
    });
    expect((await sms()).code).toBe(1);
    isBroken = false;
    expect((await sms()).code).toBe(0);
    expect(calls).toEqual(['sent bad~body', 'sent bad~body', `removed ${bad.id}`]);
    expect(kept.size).toBe(0);
  });

  it('stops between two rounds on Ctrl-C with the number of remaining entries', async () => {
    const many = Array.from({ length: 51 }, (_, index) => entry(`r${index}`, 'bad-time'));
    const { sms, kept } = quarantineWith(many, { wait: async () => false });
    const { code, err } = await sms();
    expect([code, kept.size]).toEqual([1, 1]);
    expect(err).toContain('Interrupted: 1 not reached.');
  });
});
