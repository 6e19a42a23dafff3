import { Option } from 'commander';
import { nearestNames } from '../../contract/document/nearest-names.ts';
import {
  type CanonicalStatus,
  canonicalStatuses,
  type Outcome,
  outcomeOf,
  rankOf,
} from '../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import {
  type BoundedRange,
  boundedRange,
  EmptyRangeError,
  requireRange,
  type StatusFilter,
  type TimeRange,
} from '../../functions/history/shapes.ts';
import type { Context } from '../target/context.ts';
import { UsageError } from '../target/errors.ts';
import type { Command } from './command.ts';
import { addCsvOption, type CsvOptions } from './json-option.ts';
import {
  addRevealOption,
  addTargetOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  wholeNumber,
} from './options.ts';
import { readTime } from './time-argument.ts';

/** Options of every command that shows a list, as commander reads them. */
export interface ListOptions extends TargetOptions, CsvOptions, RevealOptions {
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly all?: true;
  readonly cursor?: string;
  readonly follow?: true;
}

export interface StatusOptions {
  readonly status?: readonly string[];
}

/** Adds the options of a list, including those of the pipeline. */
export function addListOptions(command: Command): Command {
  command
    .option('--since <time>', 'from this time on', notEmpty)
    .option('--until <time>', 'before this time', notEmpty)
    .option('--limit <count>', 'how many entries at most', wholeNumber(1, 1000), 20)
    .addOption(new Option('--all', 'every entry, however many').conflicts('limit'))
    .addOption(
      new Option('--cursor <cursor>', "continue from a previous page's cursor")
        .argParser(notEmpty)
        .hideHelp(),
    )
    .addOption(
      new Option('--follow', 'also show new entries as they arrive; Ctrl-C ends it').conflicts([
        'all',
        'cursor',
        'until',
      ]),
    );
  return addCsvOption(addRevealOption(addTargetOptions(command)));
}

/**
 * Adds the filter by status.
 */
export function addStatusOption(command: Command): Command {
  const option = new Option(
    '--status <statuses>',
    'only these, separated by commas (sms help lists)',
  ).argParser((text, before: readonly string[] | undefined) => [...(before ?? []), ...text.split(',')]);
  return command.addOption(option);
}

export interface IdPrefixOptions {
  readonly idPrefix?: string;
}

/** Adds the filter by the beginning of an id. @param what in the plural */
export function addIdPrefixOption(command: Command, what: string): Command {
  return command.option('--id-prefix <text>', `only ${what} whose id begins with this`, notEmpty);
}

export interface ChannelOptions {
  readonly channel?: string;
}

/** Adds the filter by channel. */
export function addChannelOption(command: Command): Command {
  return command.option('--channel <channel>', 'only of this channel: sms, whatsapp, rcs, ...', notEmpty);
}

/** Returns the canonical statuses that have one of these outcomes. */
export function statusesThatAre(...outcomes: readonly Outcome[]): readonly CanonicalStatus[] {
  return canonicalStatuses.filter((status) => outcomes.includes(outcomeOf(rankOf(status))));
}

/** Reads --status. @throws UsageError for a word that is not an accepted status */
export function readFilter({ status }: StatusOptions, accepted: readonly CanonicalStatus[]): StatusFilter {
  return status === undefined
    ? {}
    : { statuses: [...new Set(status.map((word) => readStatus(word, accepted)))] };
}

function readStatus(text: string, accepted: readonly CanonicalStatus[]): CanonicalStatus {
  const word = text.trim().toLowerCase();
  const status = accepted.find((candidate) => candidate === word);
  if (status !== undefined) return status;
  const isElsewhere = canonicalStatuses.some((candidate) => candidate === word);
  const [meant] = isElsewhere ? [] : nearestNames(word, accepted);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const problem = isElsewhere ? 'does not occur in this list' : `is not a status${hint}`;
  throw new UsageError(
    `--status "${text}" ${problem}. Expected one or more of these, separated by commas: ${accepted.join(', ')}.`,
  );
}

/** Reads --since and --until. @throws UsageError */
export async function readRange(
  { since, until }: Pick<ListOptions, 'since' | 'until'>,
  context: Context,
): Promise<TimeRange> {
  const reading = { now: context.clock(), zone: context.terminal.zone };
  return omitUndefined({
    since: since === undefined ? undefined : await readTime(since, { ...reading, option: '--since' }),
    until: until === undefined ? undefined : await readTime(until, { ...reading, option: '--until' }),
  });
}

/** Leaves a range open that has no beginning or no end. @throws UsageError for an empty range */
export function openRange(range: TimeRange): TimeRange {
  return checked(() => requireRange(range), range);
}

/** Completes a range: without --since it covers 24 hours. @throws UsageError for an empty range */
export function lastDay(range: TimeRange, now: number): BoundedRange {
  return checked(() => boundedRange(range, now), range);
}

function checked<R>(make: () => R, { until }: TimeRange): R {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EmptyRangeError)) throw error;
    throw new UsageError(
      until === undefined
        ? '--since is in the future. Give a time that has passed, for example --since 1d.'
        : '--since must be before --until. How long ago counts back from now: --since 2d --until 1d.',
    );
  }
}
