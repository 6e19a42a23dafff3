import { readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PersonalRecord } from '../../../../../cli/personal-data/record.ts';
import type { ExportBatch, HistoryExport } from '../../../../../cli/stores/history-tables.ts';
import type { Terminal } from '../../../../../cli/target/context.ts';
import type { TimelineEntry } from '../../../../../functions/history/message.ts';
import { commandLine, message, noonPlus, reply } from '../../support/harness.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const phone = '+12025550143';
const entries: TimelineEntry[] = [
  { kind: 'message', message: message('=1+2', [{ status: 'delivered', second: 1 }]) },
  { kind: 'reply', reply: reply('reply-1', 5, 'Yes, "please"\u202e\nnow') },
];

const size = { tableBytes: 0, indexBytes: 0, keys: 2, tableId: 'table' };
const batch: ExportBatch = { entries, keys: 2 };

function history(parts: Partial<HistoryExport> = {}, terminal: Partial<Terminal> = {}) {
  const ranges: unknown[] = [];
  const historyExport: HistoryExport = {
    size: async () => ({ ...size, tableBytes: 1_000_000_000 }),
    async *batches({ since, until }) {
      ranges.push({ since, until });
      yield batch;
    },
    ...parts,
  };
  const connection = { historyExport: async () => historyExport };
  return { ...commandLine({ connection, terminal, wait: async () => true }), ranges, connection };
}

describe('export', () => {
  const temporary = temporaryDirectory();

  it('writes a range as CSV that is safe for spreadsheets', async () => {
    const { sms, ranges } = history();
    const { code, out, err } = await sms(
      'message',
      'export',
      '--since',
      '2h',
      '--until',
      '2026-01-15T12:00Z',
      '--csv',
    );
    expect([code, err]).toEqual([0, '']);
    expect(ranges).toEqual([{ since: noonPlus(-7_200_000), until: noonPlus(0) }]);
    const [header, first, ...rest] = out.split('\r\n');
    expect(header).toMatch(/^kind,at,messageId,replyId,phone,status,/);
    expect(first).toContain(`message,${noonPlus(1500)},'=1+2,,${phone},delivered,`);
    expect(rest.join()).toContain('"Yes, ""please""');
    expect(out).not.toContain('\u202e');
  });

  it('of a pipeline with several sources has a column with the source', async () => {
    const entry: TimelineEntry = { kind: 'reply', reply: reply('backup/reply-1', 5, 'Yes') };
    async function* batches() {
      yield { entries: [...entries, entry], keys: 3 };
    }
    const { connection } = history({ batches });
    const { sms } = commandLine({
      connection: { ...connection, sources: async () => ['main', 'backup'] },
      wait: async () => true,
    });
    const { out } = await sms('message', 'export', '--since', '2h', '--csv');
    const [header, message, , last] = out.split('\r\n');
    expect(header).toMatch(/,timeIs,source$/);
    expect(message).toMatch(/,$/);
    expect(last).toMatch(/^reply,[^,]*,,reply-1,.*,backup$/);
    const backup = await sms('message', 'export', '--since', '2h', '--jsonl', '--source', 'backup');
    expect(JSON.parse(backup.out)).toMatchObject({ replyId: 'reply-1', source: 'backup' });
  });

  it('writes a header for an empty range', async () => {
    const { sms } = history({ async *batches() {} });
    expect((await sms('message', 'export', '--since', 'today', '--csv')).out).toMatch(/^kind,[^\n]*\n$/);
    expect((await sms('message', 'export', '--since', 'today', '--jsonl')).out).toBe('');
  });

  it('writes JSON, one document a line', async () => {
    const { sms, ranges } = history();
    const { out } = await sms('message', 'export', '--since', '2026-01-15', '--jsonl');
    expect(ranges).toEqual([{ since: '2026-01-15T03:00:00.000Z', until: noonPlus(86_400_000) }]);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: 'message', messageId: '=1+2', phone },
      { kind: 'reply', from: phone, text: 'Yes, "please"\u202e\nnow' },
    ]);
    expect(out).not.toContain('\u202e');
  });

  it('stops reading when stdout is closed', async () => {
    let read = 0;
    async function* counted() {
      for (const entry of [...entries, ...entries]) {
        read += 1;
        yield { entries: [entry], keys: 1 };
      }
    }
    const { sms } = history({ batches: counted }, { closed: () => read === 2 });
    const { code, out } = await sms('message', 'export', '--since', '2h', '--jsonl');
    expect([code, read, out.trimEnd().split('\n').length]).toEqual([0, 2, 2]);
    expect(
      (await sms('message', 'export', '--since', '2h', '--jsonl', '--out', join(temporary, 'all'))).code,
    ).toBe(0);
    expect(read).toBe(6);
  });

  it('requires --confirm for a large history, and shows what it would read', async () => {
    const { sms, ranges } = history({
      size: async () => ({ ...size, tableBytes: 12e9, indexBytes: 819.2e6 }),
    });
    const { code, err } = await sms('message', 'export', '--since', '2h', '--csv');
    expect([code, ranges]).toEqual([2, []]);
    expect(err).toContain('12.0 GB');
    expect(err).toContain('an index of 0.8 GB, about 100000 read units (0.01 USD)');
    expect((await sms('message', 'export', '--since', '2h', '--csv', '--confirm')).code).toBe(0);
  });
});

describe('person export', () => {
  const records: PersonalRecord[] = [
    ...entries,
    {
      kind: 'opt-out',
      change: { phone, state: 'in', at: noonPlus(0), by: 'person', replyId: 'r' },
      statements: [
        { phone, state: 'in', at: noonPlus(0), by: 'person', replyId: 'r', eventId: 'e' },
        { phone, state: 'out', at: noonPlus(-1000), by: 'person', replyId: 'r-0' },
      ],
    },
    {
      kind: 'quarantined',
      entry: {
        id: 'id',
        reason: 'not-json',
        receivedAt: noonPlus(0),
        requestId: 'req',
        raw: Buffer.from(`From=${phone}`),
      },
    },
  ];
  const asked: string[] = [];
  const { sms } = commandLine({
    connection: {
      personalData: async () => ({
        async *records(number) {
          asked.push(number);
          yield* records;
        },
        erase: () => Promise.reject(new Error('not expected')),
        receipts: {
          begin: async () => undefined,
          read: async () => undefined,
          readPerson: async () => undefined,
        },
      }),
    },
  });
  const directory = temporaryDirectory();

  it('writes everything about a number as JSON lines, with options of its own', async () => {
    const { code, out } = await sms('person', 'export', '(202)', '555-0143', '--country', 'US', '--local');
    expect([code, asked]).toEqual([0, [phone]]);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: 'message', messageId: '=1+2' },
      { kind: 'reply', text: 'Yes, "please"\u202e\nnow', olderVersions: [] },
      {
        kind: 'opt-out',
        phone,
        state: 'in',
        since: noonPlus(0),
        statements: [
          { state: 'in', at: noonPlus(0), by: 'person', replyId: 'r' },
          { state: 'out', at: noonPlus(-1000), by: 'person', replyId: 'r-0' },
        ],
      },
      { kind: 'quarantined', raw: `From=${phone}`, encoding: 'utf8', url: null },
    ]);
  });

  it('--out writes a new file that only its owner can read, and overwrites none', async () => {
    const path = join(directory, 'person.jsonl');
    expect(await sms('person', 'export', phone, '--out', path)).toEqual({
      code: 0,
      out: '',
      err: `Wrote 4 records to ${path}.\n`,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(4);
    writeFileSync(path, 'mine');
    const { code, err } = await sms('person', 'export', phone, '--out', path);
    expect([code, readFileSync(path, 'utf8')]).toEqual([1, 'mine']);
    expect(err).toContain('overwrites nothing');
    expect((await sms('person', 'export', phone, '--out', join(directory, 'no', 'file'))).err).toContain(
      'cannot be written (ENOENT: no such file or directory)',
    );
  });

  it('renames a complete file only, and overwrites no file that appeared meanwhile', async () => {
    const path = join(directory, 'late.jsonl');
    const seen: string[][] = [];
    const { sms } = history({
      async *batches() {
        yield batch;
        seen.push(readdirSync(directory).filter((name) => name.startsWith('late')));
        expect(statSync(`${path}.part`).mode & 0o777).toBe(0o600);
        if (seen.length === 2) writeFileSync(path, 'mine');
      },
    });
    const run = () => sms('message', 'export', '--since', '2h', '--jsonl', '--out', path);
    writeFileSync(`${path}.part`, 'of another run');
    expect((await run()).err).toContain('late.jsonl.part exists, and an export overwrites nothing');
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('of another run');
    unlinkSync(`${path}.part`);
    expect((await run()).code).toBe(0);
    expect(seen).toEqual([['late.jsonl.part', 'late.jsonl.part.json']]);
    unlinkSync(path);
    expect((await run()).code).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    unlinkSync(path);
    expect((await sms('message', 'export', '--out', path, '--resume')).code).toBe(0);
    expect(readdirSync(directory).filter((name) => name.startsWith('late'))).toEqual(['late.jsonl']);
  });
});
