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
