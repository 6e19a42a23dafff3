import {
  type CanonicalStatus,
  canonicalStatuses,
  type Outcome,
  outcomeOf,
  rankOf,
} from '../../functions/core/statuses.ts';
import { UsageError } from '../failures.ts';
import { nearest } from '../text/nearest.ts';

/** The canonical statuses that say one of these things about the end of a message's way. */
export function statusesThatAre(...outcomes: readonly Outcome[]): readonly CanonicalStatus[] {
  return canonicalStatuses.filter((status) => outcomes.includes(outcomeOf(rankOf(status))));
}

/**
 * Reads which statuses are wanted.
 *
 * @param words as they were given
 * @param accepted those that the list can hold
 * @throws UsageError for any other word, saying what is accepted
 */
export function readStatuses(
  words: readonly string[],
  accepted: readonly CanonicalStatus[],
): readonly CanonicalStatus[] {
  return [...new Set(words.map((word) => readStatus(word, accepted)))];
}

function readStatus(text: string, accepted: readonly CanonicalStatus[]): CanonicalStatus {
  const word = text.trim().toLowerCase();
  const status = accepted.find((candidate) => candidate === word);
  if (status !== undefined) return status;
  const isElsewhere = canonicalStatuses.some((candidate) => candidate === word);
  const problem = isElsewhere ? 'does not occur in this list' : 'is no status';
  const meant = isElsewhere ? undefined : nearest(word, accepted);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new UsageError(
    `--status "${text}" ${problem}${hint}. Expected one or more of these, separated by commas: ${accepted.join(', ')}.`,
  );
}
