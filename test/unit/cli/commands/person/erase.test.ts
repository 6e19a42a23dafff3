import { describe, expect, it } from 'vitest';
import { markOf, type PersonMark } from '../../../../../cli/personal-data/erased-persons.ts';
import { ErasureError, type PersonalData } from '../../../../../cli/personal-data/eraser.ts';
import {
  type ErasureReceipt,
  noRecords,
  type PersonalRecord,
} from '../../../../../cli/personal-data/record.ts';
import { commandLine, message, noonPlus, reply } from '../../support/harness.ts';

const phone = '+12025550143';
/** Eight days after noon: by then a final message is let alone. */
const now = Date.parse(noonPlus(8 * 86_400_000));
const text = 'my address is 1 Main Street';

const records: PersonalRecord[] = [
  { kind: 'message', message: message('msg-2', [{ status: 'sent', second: 9 }]) },
  { kind: 'message', message: message('msg-1', [{ status: 'delivered', second: 1 }]) },
  { kind: 'reply', reply: reply('reply-1', 5, text) },
  {
    kind: 'opt-out',
    change: { phone, state: 'out', at: noonPlus(6000), by: 'person', replyId: 'reply-2' },
    statements: [],
  },
  {
    kind: 'quarantined',
    entry: {
      id: `${noonPlus(0)}#req#body`,
      reason: 'not-json',
      receivedAt: noonPlus(0),
      requestId: 'req',
      raw: Buffer.from(text + phone),
    },
  },
];

const done: ErasureReceipt = {
  id: '00000001-0000-4000-8000-000000000000',
  state: 'done',
  startedAt: noonPlus(0),
  finishedAt: noonPlus(2000),
  counts: { message: 2, reply: 1, 'opt-out': 1, quarantined: 1 },
  toolVersion: '0.1.0',
  keepOptOut: false,
};

function personalData(parts: Partial<PersonalData> = {}, waiting = { events: 0, deadLetters: 0 }) {
  const calls: unknown[] = [];
  const receipts = new Map<string, ErasureReceipt>([['known', { ...done, id: 'known' }]]);
  const persons = new Map<string, PersonMark>();
  const data: PersonalData = {
    async *records() {
      yield* records;
    },
    erase: async (request) => {
      calls.push(['erase', request]);
      return { receipt: { ...done, id: request.receiptId }, mayGetReports: 1, leftOptOuts: 0 };
    },
    receipts: {
      begin: async (begun) => void calls.push(['begin', begun]),
      read: async (id) => receipts.get(id),
      readPerson: async (id) => persons.get(id) ?? markOf(phone, 'key'),
    },
    ...parts,
  };
  const connection = {
    personalData: async () => data,
    waiting: async () => waiting,
  };
  return { ...commandLine({ connection, clock: () => now }), calls, receipts, persons, data };
}

describe('person erase', () => {
  it.each([['erase', '--dry-run'], ['erase', '--confirm'], ['export']])(
    '%s %s shows the progress of its search',
    async (verb, ...options) => {
      const { data } = personalData();
      let seconds = 0;
      const { sms } = commandLine({
        connection: {
          waiting: async () => ({ events: 0, deadLetters: 0 }),
          personalData: async (_clock, onRead) => {
            seconds = 2;
            onRead?.(300);
            seconds = 10;
            onRead?.(500);
            return data;
          },
        },
        clock: () => now + seconds * 1000,
        terminal: { isWatched: true },
      });
      const { err } = await sms('person', verb, phone, ...options);
      expect(err).toContain('Searching: 300 items, 150 a second.\nSearching: 800 items, 80 a second.\n');
    },
  );

  it.each([['erase', '--dry-run'], ['erase', '--confirm'], ['export']])(
    '%s %s names entries of the quarantine that have more in them than could be searched',
    async (verb, ...options) => {
      const { data } = personalData();
      const { sms } = commandLine({
        connection: {
          waiting: async () => ({ events: 0, deadLetters: 0 }),
          personalData: async (_clock, _onRead, onUnsearched) => {
            for (const id of ['q1', 'q2', 'q3', 'q4', 'q5', 'q6']) onUnsearched?.(id);
            return data;
          },
        },
        clock: () => now,
      });
      const { err, out } = await sms(
        'person',
        verb,
        phone,
        ...options,
        ...(verb === 'erase' ? ['--json'] : []),
      );
      expect(err).toContain(
        'warning: 6 quarantine entries have more in them than could be searched, and may be about the number: q1, q2, q3, q4, q5 and 1 more.',
      );
      if (verb === 'erase') expect(JSON.parse(out).unsearched).toHaveLength(6);
    },
  );

  it('--dry-run --json lists the same records without texts', async () => {
    const { sms } = personalData({}, { events: 3, deadLetters: 0 });
    const { out } = await sms('person', 'erase', phone, '--dry-run', '--json', '--keep-opt-out');
    expect(out).not.toContain('Main Street');
    const { records: listed, ...rest } = JSON.parse(out);
    expect(rest).toEqual({
      phone,
      counts: { messages: 2, replies: 1, optOuts: 0, quarantined: 1 },
      waiting: { events: 3, deadLetters: 0 },
      unsearched: [],
    });
    expect(listed).toHaveLength(4);
    expect(listed[0]).toEqual({
      kind: 'message',
      id: 'msg-2',
      at: noonPlus(9500),
      note: 'may-get-reports',
      withoutCountryCode: false,
    });
  });

  it.each(['--dry-run', '--confirm'])(
    '%s warns that an opt-out without a country code stays',
    async (mode) => {
      const change = {
        phone: '2025550143',
        state: 'out',
        at: noonPlus(0),
        by: 'person',
        replyId: 'reply-3',
      } as const;
      const { sms } = personalData({
        async *records() {
          yield { kind: 'opt-out', change, statements: [], isUncertain: true };
        },
        erase: async () => ({ receipt: { ...done, counts: noRecords }, mayGetReports: 0, leftOptOuts: 1 }),
      });
      const { out, err } = await sms('person', 'erase', phone, mode);
      expect(err).toContain('warning: 1 opt-out without a country code stays, possibly of another person.');
      expect(err).toContain('person erase --as-written');
      expect(out).toContain(
        mode === '--confirm' ? 'nothing' : 'stays, because it may be the opt-out of another person',
      );
      expect(out).not.toContain('1 opt-out');
    },
  );

  it('--as-written searches for a text that is not a number', async () => {
    const asked: string[] = [];
    const { sms } = personalData({
      async *records(number) {
        asked.push(number);
        yield* [];
      },
    });
    expect((await sms('person', 'erase', ' (202) 555-0143', '--as-written', '--dry-run')).code).toBe(0);
    expect((await sms('person', 'export', 'ACME', '--as-written')).code).toBe(0);
    expect(asked).toEqual(['(202) 555-0143', 'ACME']);
  });

  it('--confirm deletes under a new receipt and shows it', async () => {
    const { sms, calls } = personalData({}, { events: 1, deadLetters: 2 });
    const { code, out, err } = await sms('person', 'erase', phone, '--confirm');
    expect(code).toBe(0);
    expect(calls).toEqual([
      [
        'begin',
        { id: done.id, startedAt: noonPlus(8 * 86_400_000), toolVersion: '0.1.0', keepOptOut: false },
      ],
      ['erase', { phone, receiptId: done.id }],
    ]);
    expect(out.split('\n')).toEqual([
      `Receipt   ${done.id}`,
      'State     done',
      'Started   2026-01-15 09:00:00 -03:00',
      'Finished  2026-01-15 09:00:02 -03:00',
      'Deleted   2 messages, 1 reply, 1 opt-out, 1 quarantine entry',
      'Version   0.1.0',
      '',
    ]);
    expect(err).toContain(`Receipt ${done.id}: if the erasure is interrupted`);
    expect(err).toContain('1 request waits in the events queue');
    expect(err).toContain('2 requests are in the dead-letter queue');
    expect(out + err).not.toContain('12025550143');
  });

  it('reports that it is not complete while it waits for the index', async () => {
    const line = personalData({
      erase: async ({ receiptId }, onWait) => {
        onWait?.(10_000);
        return { receipt: { ...done, id: receiptId }, mayGetReports: 0, leftOptOuts: 0 };
      },
    });
    const { out, err } = await line.sms('person', 'erase', phone, '--confirm', '--json');
    expect(err).toContain('Not complete yet: waiting 10 s');
    expect(JSON.parse(out)).toMatchObject({ state: 'done' });
  });

  it('writes the receipt as JSON, without the number', async () => {
    const { sms } = personalData();
    const { out } = await sms('person', 'erase', phone, '--confirm', '--json');
    expect(JSON.parse(out)).toEqual({
      id: done.id,
      state: 'done',
      startedAt: noonPlus(0),
      finishedAt: noonPlus(2000),
      deleted: { messages: 2, replies: 1, optOuts: 1, quarantined: 1 },
      keepOptOut: false,
      toolVersion: '0.1.0',
      mayGetReports: 1,
      leftOptOuts: 0,
      unsearched: [],
      waiting: { events: 0, deadLetters: 0 },
    });
  });

  it('warns that a message with a recent report may return, final or not', async () => {
    const fresh = message('msg-1', [{ status: 'read', second: 8 * 86_400 - 1 }]);
    const { sms } = personalData({
      async *records() {
        yield { kind: 'message', message: fresh };
      },
    });
    const { out, err } = await sms('person', 'erase', phone, '--dry-run');
    expect(out).toContain('may get reports, which restore it');
    expect(err).toContain('1 message may get more reports');
  });

  it.each([
    ['--dry-run', [1, 5]],
    ['--confirm', [5, 1]],
  ])('%s counts the queues before and after, and warns about the larger counts', async (mode, counts) => {
    const asked: number[] = [];
    const { data } = personalData();
    const { sms } = commandLine({
      connection: {
        personalData: async () => data,
        waiting: async () => {
          const events = counts[asked.length] ?? 0;
          asked.push(events);
          return { events, deadLetters: 6 - events };
        },
      },
    });
    const { err } = await sms('person', 'erase', phone, mode);
    expect(asked).toEqual(counts);
    expect(err).toContain('5 requests wait in the events queue');
    expect(err).toContain('5 requests are in the dead-letter queue');
  });

  it('--resume continues under its receipt, with the options of the beginning', async () => {
    const { sms, calls, receipts } = personalData();
    const erase = (...args: string[]) => sms('person', 'erase', phone, '--confirm', ...args);
    receipts.set('broken', { ...done, id: 'broken', state: 'running', keepOptOut: true });
    for (const again of [['--keep-opt-out'], []]) {
      calls.length = 0;
      const { code, err } = await erase('--resume', 'broken', ...again);
      expect([code, calls]).toEqual([0, [['erase', { phone, receiptId: 'broken' }]]]);
      expect(err).toContain('The opt-out is kept, because this erasure was begun with --keep-opt-out.');
      expect(err).not.toContain('already complete');
    }
    calls.length = 0;
    receipts.set('forgetting', { ...done, id: 'forgetting', state: 'running' });
    const refused = await erase('--resume', 'forgetting', '--keep-opt-out');
    expect([refused.code, calls]).toEqual([1, []]);
    expect(refused.err).toContain('begun without --keep-opt-out');
    expect((await erase('--resume', 'known')).err).toContain('already complete');
    const { code, err } = await erase('--resume', 'unknown');
    expect([code, err]).toEqual([1, 'error: There is no receipt "unknown".\n']);
  });

  it.each([
    ['of AWS', now - 7_200_000, now - 7_200_000],
    ['of this machine, if AWS does not answer', undefined, now + 60_000],
  ])(
    'has the time %s, so that a join leaves out nothing that was received after it',
    async (_, timeOfAws, expected) => {
      const { data } = personalData();
      let time = now;
      const times: unknown[] = [];
      const receipts = {
        ...data.receipts,
        begin: async (begun: { startedAt: string }) => void times.push(begun.startedAt),
      };
      const { sms } = commandLine({
        connection: {
          waiting: async () => ({ events: 0, deadLetters: 0 }),
          personalData: async (clock) => {
            times.push(clock());
            return { ...data, receipts };
          },
          // To ask takes a minute.
          caller: async () => {
            time += 60_000;
            return { person: undefined, now: timeOfAws };
          },
        },
        clock: () => time,
      });
      expect((await sms('person', 'erase', phone, '--confirm')).code).toBe(0);
      expect(times).toEqual([expected, new Date(expected).toISOString()]);
    },
  );

  it.each([
    ['is of another number', markOf('+12025550144', 'key')],
    ['names its person by a key that is not stored any more', markOf(phone, 'an older key')],
  ])('--resume of a receipt that %s deletes nothing', async (reason, person) => {
    const { sms, calls, receipts, persons } = personalData();
    receipts.set('broken', { ...done, id: 'broken', state: 'running' });
    persons.set('broken', person);
    const { code, err } = await sms('person', 'erase', phone, '--confirm', '--resume', 'broken');
    expect([code, calls]).toEqual([1, []]);
    expect(err).toContain(`That erasure ${reason}, so nothing was deleted.`);
  });

  it('does not read --confirm as the id of a receipt', async () => {
    const { code, err } = await commandLine().sms('person', 'erase', phone, '--resume', '--confirm');
    expect([code, err]).toEqual([2, expect.stringContaining('Expected the id of a receipt')]);
  });

  it('names the receipt, and not the number, when it is interrupted', async () => {
    const { sms } = personalData({ erase: () => Promise.reject(new ErasureError('there is more')) });
    const { code, out, err } = await sms('person', 'erase', phone, '--confirm');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      `Receipt ${done.id}: if the erasure is interrupted, type the same command with --resume`,
    );
    expect(err).toContain('The erasure is not complete: there is more.');
    expect(err).not.toContain('2025550143');
  });

  it('deletes nothing when the queues cannot be counted', async () => {
    const line = commandLine({ connection: { waiting: () => Promise.reject(new Error('denied')) } });
    expect((await line.sms('person', 'erase', phone, '--confirm')).code).toBe(1);
  });
});

describe('person receipt', () => {
  it('shows a receipt, also of an interrupted erasure', async () => {
    const { sms, receipts } = personalData();
    const { finishedAt: _, ...begun } = done;
    receipts.set('broken', { ...begun, id: 'broken', state: 'running', counts: noRecords });
    const { out } = await sms('person', 'receipt', 'broken');
    expect(out).toContain('State    running, or interrupted');
    expect(out).toContain('Deleted  nothing');
    expect(JSON.parse((await sms('person', 'receipt', 'known', '--json')).out)).toMatchObject({
      state: 'done',
    });
    expect((await sms('person', 'receipt', 'unknown')).code).toBe(1);
  });
});
