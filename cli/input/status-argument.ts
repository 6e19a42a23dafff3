import {
  type CanonicalStatus,
  canonicalStatuses,
  type Outcome,
  outcomeOf,
  rankOf,
} from '../../contract/schema/sms-event.ts';
import { UsageError } from '../target/errors.ts';

/** The candidate that a mistyped word was most likely meant to be; undefined where none is near. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** How many letters have to be added, left out or replaced (Levenshtein); words of any length are cut to 40. */
function editDistance(from: string, to: string): number {
  const target = [...to.slice(0, 40)];
  let previous = [0, ...target.map((_, index) => index + 1)];
  for (const [row, letter] of [...from.slice(0, 40)].entries()) {
    const current = [row + 1];
    for (const [column, other] of target.entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

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
