/** A day in UTC whose changes are exported; where the table's backup began later that day, from then on. */
export interface ExportDay {
  /** yyyy-mm-dd */
  readonly date: string;
  /** Included; milliseconds since the epoch. */
  readonly from: number;
  /** Not included; milliseconds since the epoch. */
  readonly to: number;
}

/** What a continuous backup reaches back and up to; milliseconds since the epoch. */
export interface BackupWindow {
  readonly earliest: number;
  readonly latest: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** DynamoDB exports the changes of 15 minutes at least (Developer Guide, Requesting a table export). */
const shortestMs = 15 * minuteMs;

/** How many days are looked at: so long may exports fail before a day is lost. */
const daysLookedAt = 7;

/** The latest days that are over and that the backup holds, oldest first. */
export function exportableDays({ earliest, latest }: BackupWindow): ExportDay[] {
  const end = latest - (latest % dayMs);
  const begin = Math.ceil(earliest / minuteMs) * minuteMs;
  return Array.from({ length: daysLookedAt }, (_, index) => end - (daysLookedAt - index) * dayMs)
    .map((start) => ({
      date: new Date(start).toISOString().slice(0, 10),
      from: Math.max(start, begin),
      to: start + dayMs,
    }))
    .filter(({ from, to }) => to - from >= shortestMs);
}

/** Where the files of a day go; `day` is the partition of the Athena table. */
export function prefixOf({ date }: ExportDay): string {
  return `history/day=${date}`;
}

/** An export as far as it matters whether a day has one. */
export interface KnownExport {
  readonly status: 'under way' | 'completed' | 'failed';
  /** Where its files go. */
  readonly prefix: string;
}

/** A day that is to be exported. */
export interface MissingDay {
  readonly day: ExportDay;
  /** How many exports of it have failed. */
  readonly failed: number;
}

/** The days that have no export, or only failed ones. */
export function missingDays(days: readonly ExportDay[], known: readonly KnownExport[]): MissingDay[] {
  return days.flatMap((day) => {
    const ofDay = known.filter(({ prefix }) => prefix === prefixOf(day));
    return ofDay.every(({ status }) => status === 'failed') ? [{ day, failed: ofDay.length }] : [];
  });
}
