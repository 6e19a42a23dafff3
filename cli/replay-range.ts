import { CommandFailure, UsageError } from './failures.ts';
import type { EventArchive } from './replay-access.ts';
import { formatTime } from './text/time.ts';

const dayMs = 86_400_000;

/** From when to when events were published; ISO 8601. */
export interface ReplayRange {
  readonly from: string;
  readonly to: string;
}

/** @throws UsageError for a range without a length, or one that is not over yet */
export function checkRange({ from, to }: ReplayRange, now: number): void {
  if (from >= to) throw new UsageError('--from must be before --to.');
  if (Date.parse(to) > now) throw new UsageError('--to must not be in the future: --to now is the latest.');
}

/**
 * Says what of the range the archive may lack.
 *
 * @returns a warning, where a part was published before there was an archive
 * @throws CommandFailure for a range of which the archive dropped a part already, or that ended before there was one
 */
export function checkKept(
  { from, to }: ReplayRange,
  { retentionDays, createdAt }: EventArchive,
  now: number,
  zone: string,
): string | undefined {
  const keptSince = retentionDays === undefined ? undefined : now - retentionDays * dayMs;
  if (keptSince !== undefined && Date.parse(from) < keptSince)
    throw new CommandFailure(
      `The archive keeps events for ${retentionDays} days (setting eventArchiveDays), so the earliest --from is ${formatTime(new Date(keptSince).toISOString(), zone)}.`,
    );
  if (createdAt === undefined || from >= createdAt) return undefined;
  const since = `The archive was made ${formatTime(createdAt, zone)}`;
  if (to <= createdAt) throw new CommandFailure(`${since}: it has nothing of that range.`);
  return `${since}: what was published before is not in it.`;
}
