import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exportableDays,
  exportDays,
  type KnownExport,
  type MissingDay,
  missingDays,
  prefixOf,
  type TableExports,
} from '../../../../../functions/history/exporter/export-days.ts';
import { assertProperty } from '../../../../support/property.ts';
import { recorder } from '../../../../support/recorder.ts';

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

const time = (iso: string) => Date.parse(iso);
const longAgo = time('2025-12-01T00:00:00Z');
const hourMs = 3_600_000;
const spanOf = ({ from, to }: { from: number; to: number }) => [
  new Date(from).toISOString(),
  new Date(to).toISOString(),
];

describe('the days to export', () => {
  it('are the last seven that are over, oldest first, each from midnight to midnight', () => {
    const days = exportableDays({ earliest: longAgo, latest: time('2026-03-02T00:00:01Z') });
    expect(days.map(({ date }) => date)).toEqual([
      '2026-02-23',
      '2026-02-24',
      '2026-02-25',
      '2026-02-26',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    const [first] = days;
    expect(first && spanOf(first)).toEqual(['2026-02-23T00:00:00.000Z', '2026-02-24T00:00:00.000Z']);
  });

  it('have ended at the latest when the backup ends', () => {
    const dates = (latest: string) =>
      exportableDays({ earliest: longAgo, latest: time(latest) }).map(({ date }) => date);
    expect(dates('2026-03-01T23:59:59.999Z').at(-1)).toBe('2026-02-28');
    expect(dates('2026-03-02T00:00:00.000Z').at(-1)).toBe('2026-03-01');
  });

  it('begin where the backup begins, at a whole minute', () => {
    const days = exportableDays({
      earliest: time('2026-03-01T09:30:12.345Z'),
      latest: time('2026-03-03T00:10:00Z'),
    });
    expect(days.map(spanOf)).toEqual([
      ['2026-03-01T09:31:00.000Z', '2026-03-02T00:00:00.000Z'],
      ['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
    ]);
  });

  it('leave out the rest of a day that is shorter than the minimum of DynamoDB', () => {
    const latest = time('2026-03-02T12:00:00Z');
    const count = (earliest: string) => exportableDays({ earliest: time(earliest), latest }).length;
    expect(count('2026-03-01T23:45:00Z')).toBe(1);
    expect(count('2026-03-01T23:45:01Z')).toBe(0);
    expect(count('2026-03-02T08:00:00Z')).toBe(0);
  });

  it('are always valid for DynamoDB', () => {
    const window = fc.record({
      earliest: fc.integer({ min: longAgo, max: longAgo + 40 * 24 * hourMs }),
      // Shorter windows have no day that is over.
      length: fc.integer({ min: hourMs / 4, max: 35 * 24 * hourMs }),
    });
    assertProperty(
      fc.property(window, ({ earliest, length }) => {
        const latest = earliest + length;
        const days = exportableDays({ earliest, latest });
        fc.pre(days.length > 0);
        for (const { from, to, date } of days) {
          expect(from).toBeGreaterThanOrEqual(earliest);
          expect(to).toBeLessThanOrEqual(latest);
          expect(to - from).toBeGreaterThanOrEqual(hourMs / 4);
          expect(to - from).toBeLessThanOrEqual(24 * hourMs);
          expect(new Date(from).toISOString().slice(0, 10)).toBe(date);
        }
      }),
    );
  });
});

it('the folder of a day is named as a partition', () => {
  expect(prefixOf({ date: '2026-03-01', from: 0, to: 1 })).toBe('history/day=2026-03-01');
});

const days = ['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => ({ date, from: 0, to: 1 }));

const missing = (...exports: KnownExport[]) =>
  missingDays(days, exports).map(({ day, failed }) => [day.date, failed]);

it('missingDays finds the days without an export', () => {
  expect(missing()).toEqual([
    ['2026-03-01', 0],
    ['2026-03-02', 0],
    ['2026-03-03', 0],
  ]);
  expect(missing(known('completed', '2026-03-01'), known('under way', '2026-03-03'))).toEqual([
    ['2026-03-02', 0],
  ]);
});

it('missingDays counts failures, and resets the count after a successful export', () => {
  const failures = [
    known('failed', '2026-03-01'),
    known('failed', '2026-03-01'),
    known('failed', '2026-03-02'),
  ];
  expect(missing(...failures, known('under way', '2026-03-02'), known('completed', '2026-03-03'))).toEqual([
    ['2026-03-01', 2],
  ]);
});

it('missingDays ignores exports to another folder', () => {
  const full = { status: 'completed', prefix: 'full' } as const;
  expect(missing(full)).toHaveLength(3);
});
