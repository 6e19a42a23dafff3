import { errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';

/** A day in UTC whose changes are exported. It begins later if the table's backup began later that day. */
export interface ExportDay {
  /** yyyy-mm-dd */
  readonly date: string;
  /** Included; milliseconds since the epoch. */
  readonly from: number;
  /** Not included; milliseconds since the epoch. */
  readonly to: number;
}

/** The times that a continuous backup covers, in milliseconds since the epoch. */
export interface BackupWindow {
  readonly earliest: number;
  readonly latest: number;
}

/** An export that was requested before. */
export interface KnownExport {
  readonly status: 'under way' | 'completed' | 'failed';
  /** The prefix of its files in the bucket. */
  readonly prefix: string;
}

/** A day that has to be exported. */
export interface MissingDay {
  readonly day: ExportDay;
  /** How many exports of it have failed. */
  readonly failed: number;
}

/** Incremental exports of a table to a bucket. */
export interface TableExports {
  /** Undefined if the table has no continuous backup, so that it cannot be exported. */
  window(): Promise<BackupWindow | undefined>;
  /** Returns the exports into the bucket that were requested at this time or later. @param time milliseconds since the epoch */
  requestedSince(time: number): Promise<readonly KnownExport[]>;
  /** Requests an export and returns its status. Repeating the same request begins no second export. */
  request(missing: MissingDay): Promise<KnownExport['status']>;
}

/**
 * Requests an export for each of the latest days that has none, oldest first. It requests an export that failed again. Never
 * throws: failures are logged by name and counted, and the next run tries again.
 */
export async function exportDays(exports: TableExports, log: Log, count: Count): Promise<void> {
  function fail(error: string, day: string | null): void {
    count('exportFailed');
    log('EXPORT_FAILED', { day, error });
  }

  async function findMissing(): Promise<MissingDay[]> {
    const window = await exports.window();
    if (window === undefined) {
      fail('NoContinuousBackup', null);
      return [];
    }
    const days = exportableDays(window);
    const [oldest] = days;
    // A day is exported after its end at the earliest.
    return oldest === undefined ? [] : missingDays(days, await exports.requestedSince(oldest.to));
  }

  async function request(missing: MissingDay): Promise<void> {
    const { date: day } = missing.day;
    try {
      const status = await exports.request(missing);
      if (status === 'failed') fail('ExportFailed', day);
      else log('EXPORT_REQUESTED', { day, failedBefore: missing.failed });
    } catch (error) {
      fail(errorName(error), day);
    }
  }

  try {
    for (const missing of await findMissing()) {
      if (missing.failed > 0) count('exportFailed');
      await request(missing);
    }
  } catch (error) {
    fail(errorName(error), null);
  }
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** DynamoDB exports the changes of 15 minutes at least (Developer Guide, Requesting a table export). */
const minExportMs = 15 * minuteMs;

/** Exports may fail for this many days before a day is lost. */
const checkedDays = 7;

/** Returns the latest days that are over and that the backup covers, oldest first. */
export function exportableDays({ earliest, latest }: BackupWindow): ExportDay[] {
  const end = latest - (latest % dayMs);
  const begin = Math.ceil(earliest / minuteMs) * minuteMs;
  return Array.from({ length: checkedDays }, (_, index) => end - (checkedDays - index) * dayMs)
    .map((start) => ({
      date: new Date(start).toISOString().slice(0, 10),
      from: Math.max(start, begin),
      to: start + dayMs,
    }))
    .filter(({ from, to }) => to - from >= minExportMs);
}

/** Returns the prefix of a day's files; `day` is the partition of the Athena table. */
export function prefixOf({ date }: ExportDay): string {
  return `history/day=${date}`;
}

/** Returns the days that have no export, or only failed ones. */
export function missingDays(days: readonly ExportDay[], known: readonly KnownExport[]): MissingDay[] {
  return days.flatMap((day) => {
    const ofDay = known.filter(({ prefix }) => prefix === prefixOf(day));
    return ofDay.every(({ status }) => status === 'failed') ? [{ day, failed: ofDay.length }] : [];
  });
}
