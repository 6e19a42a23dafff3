import { describe, expect, it } from 'vitest';
import {
  exportDays,
  type KnownExport,
  type MissingDay,
  type TableExports,
} from '../../../../functions/exporter/export-days.ts';
import { recorder } from '../../../../tools/support/recorder.ts';

const named = (name: string) => Object.assign(new Error('about the account'), { name });
const window = { earliest: Date.parse('2026-03-01T00:00:00Z'), latest: Date.parse('2026-03-04T03:00:00Z') };

function known(status: KnownExport['status'], date: string): KnownExport {
  return { status, prefix: `history/day=${date}` };
}

interface Parts {
  readonly known?: readonly KnownExport[];
  readonly window?: () => ReturnType<TableExports['window']>;
  readonly answer?: (date: string) => KnownExport['status'] | Error;
}

function exporter(parts: Parts = {}) {
  const { log, count, ...recorded } = recorder();
  const requested: (readonly [string, number])[] = [];
  const since: string[] = [];
  const exports: TableExports = {
    window: parts.window ?? (async () => window),
    requestedSince: async (time) => {
      since.push(new Date(time).toISOString());
      return parts.known ?? [];
    },
    request: async ({ day, failed }: MissingDay) => {
      requested.push([day.date, failed]);
      const answer = parts.answer?.(day.date) ?? 'under way';
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { ...recorded, requested, since, run: () => exportDays(exports, log, count) };
}

describe('an export run', () => {
  it('requests each missing day once, oldest first, and logs it', async () => {
    const { run, requested, since, lines, counts } = exporter({ known: [known('completed', '2026-03-02')] });
    await run();
    expect(requested).toEqual([
      ['2026-03-01', 0],
      ['2026-03-03', 0],
    ]);
    expect(since).toEqual(['2026-03-02T00:00:00.000Z']);
    expect(lines).toEqual([
      { name: 'EXPORT_REQUESTED', fields: { day: '2026-03-01', failedBefore: 0 } },
      { name: 'EXPORT_REQUESTED', fields: { day: '2026-03-03', failedBefore: 0 } },
    ]);
    expect([...counts]).toEqual([]);
  });

  it('logs nothing if no day is missing, and before the first day is over', async () => {
    const all = ['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => known('under way', date));
    const young = async () => ({ earliest: window.latest - 1000, latest: window.latest });
    for (const parts of [{ known: all }, { window: young }]) {
      const { run, requested, lines } = exporter(parts);
      await run();
      expect([requested, lines]).toEqual([[], []]);
    }
  });

  it('requests a day again whose export failed, and counts the failure', async () => {
    const others = [known('completed', '2026-03-01'), known('completed', '2026-03-03')];
    const { run, requested, counts } = exporter({
      known: [...others, known('failed', '2026-03-02'), known('failed', '2026-03-02')],
    });
    await run();
    expect(requested).toEqual([['2026-03-02', 2]]);
    expect(counts.get('exportFailed')).toBe(1);
  });
});

describe('a failed export', () => {
  it('leaves the other days to be requested', async () => {
    const { run, requested, lines, counts, text } = exporter({
      answer: (date) => (date === '2026-03-01' ? named('LimitExceededException') : 'under way'),
    });
    await run();
    expect(requested.map(([date]) => date)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(lines[0]).toEqual({
      name: 'EXPORT_FAILED',
      fields: { day: '2026-03-01', error: 'LimitExceededException' },
    });
    expect(counts.get('exportFailed')).toBe(1);
    expect(text()).not.toContain('account');
  });

  it('is reported if DynamoDB answers with a failed export', async () => {
    const { run, lines } = exporter({
      answer: (date) => (date === '2026-03-03' ? 'failed' : 'completed'),
    });
    await run();
    expect(lines.at(-1)).toEqual({
      name: 'EXPORT_FAILED',
      fields: { day: '2026-03-03', error: 'ExportFailed' },
    });
  });

  it('is reported for a table without continuous backup, and for a rejected call', async () => {
    const cases = [
      { window: async () => undefined, error: 'NoContinuousBackup' },
      { window: () => Promise.reject(named('AccessDeniedException')), error: 'AccessDeniedException' },
      { window: () => Promise.reject('a text'), error: 'unknown' },
    ];
    for (const { window: broken, error } of cases) {
      const { run, lines, counts } = exporter({ window: broken });
      await run();
      expect(lines).toEqual([{ name: 'EXPORT_FAILED', fields: { day: null, error } }]);
      expect(counts.get('exportFailed')).toBe(1);
    }
  });
});
