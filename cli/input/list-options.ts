import { type Command, Option } from 'commander';
import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';
import {
  type BoundedRange,
  boundedRange,
  EmptyRangeError,
  requireRange,
  type StatusFilter,
  type TimeRange,
} from '../../functions/lists/time-range.ts';
import type { Context } from '../target/context.ts';
import { UsageError } from '../target/errors.ts';
import {
  addRevealOption,
  addTargetOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  wholeNumber,
} from './options.ts';
import { readStatuses } from './status-argument.ts';
import { readTime } from './time-argument.ts';

/** Options of every command that shows a list, as commander reads them. */
export interface ListOptions extends TargetOptions, RevealOptions {
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly all?: true;
  readonly cursor?: string;
  readonly csv?: true;
  readonly follow?: true;
}

export interface StatusOptions {
  readonly status?: readonly string[];
}

/** What the options' help says in every list. */
export const listNotes = `
Times of --since and --until: ISO 8601 (2026-01-15, "2026-01-15 09:30", 2026-01-15T12:30:05Z; without a zone it is local
time), now, today, yesterday (from midnight on), or how long ago: 90s, 15m, 2h, 3d, 1w.
In tables numbers are masked (+12025•••43) unless --reveal; --json and --csv have them in full, and times in UTC.
--json gives {"entries": [...], "next": <cursor or null>}; with --follow it is one document a line, one for each entry. It is
written page by page: a command that fails on the way (exit code 1) leaves it without its end.
--csv puts an apostrophe before a text that a spreadsheet would take for a formula; --json has texts as they came.
--follow looks every 2 s and shows an entry once; one that comes more than 30 s after its time may be left out. Where the network
fails it looks again, four times.`;

/** Adds the options of a list, those of the pipeline among them. */
export function addListOptions(command: Command): Command {
  command
    .option('--since <time>', 'from this time on', notEmpty)
    .option('--until <time>', 'before this time', notEmpty)
    .option('--limit <count>', 'how many entries at most', wholeNumber(1, 1000), 20)
    .addOption(new Option('--all', 'every entry, however many').conflicts('limit'))
    .option('--cursor <cursor>', 'go on where a list ended that said so', notEmpty)
    .addOption(
      new Option(
        '--follow',
        'the newest ones, oldest first, then new ones as they come; Ctrl-C ends it',
      ).conflicts(['all', 'cursor', 'until']),
    );
  return addRevealOption(addTargetOptions(command)).addOption(
    new Option('--csv', 'CSV with a header on stdout (RFC 4180), numbers in full').conflicts('json'),
  );
}

/**
 * @param accepted the statuses that the list can hold
 * @param isSettled whether messages enter the list with their status; who follows another list would miss those that get
 *   theirs later
 */
export function addStatusOption(
  command: Command,
  accepted: readonly CanonicalStatus[],
  isSettled = false,
): Command {
  const option = new Option(
    '--status <statuses>',
    `only messages of these statuses, separated by commas: ${accepted.join(', ')}`,
  ).argParser((text, before: readonly string[] | undefined) => [...(before ?? []), ...text.split(',')]);
  return command.addOption(isSettled ? option : option.conflicts('follow'));
}

/** The range that was asked for, with times read. @throws UsageError */
export async function readRange(
  { since, until }: Pick<ListOptions, 'since' | 'until'>,
  context: Context,
): Promise<TimeRange> {
  const reading = { now: context.clock(), zone: context.terminal.zone };
  return {
    ...(since === undefined ? {} : { since: await readTime(since, { ...reading, option: '--since' }) }),
    ...(until === undefined ? {} : { until: await readTime(until, { ...reading, option: '--until' }) }),
  };
}

/** @throws UsageError */
export function readFilter({ status }: StatusOptions, accepted: readonly CanonicalStatus[]): StatusFilter {
  return status === undefined ? {} : { statuses: readStatuses(status, accepted) };
}

/** For lists that begin where they begin. @throws UsageError for a range that holds no time */
export function openRange(range: TimeRange): TimeRange {
  return checked(() => requireRange(range));
}

/** For lists of the last day where nothing else is asked for. @throws UsageError for a range that holds no time */
export function lastDay(range: TimeRange, now: number): BoundedRange {
  return checked(() => boundedRange(range, now));
}

function checked<R>(make: () => R): R {
  try {
    return make();
  } catch (error) {
    throw error instanceof EmptyRangeError ? new UsageError(`${error.message}.`) : error;
  }
}
