import type { Contract } from '../../functions/core/contract/contract.ts';
import { guessReason } from './error-reason.ts';
import { lookUp } from './look-up.ts';
import type { Proposal } from './proposal.ts';
import { valuesAt } from './propose-mapping.ts';
import { guessStatus } from './status-word.ts';
import { isVocabulary } from './vocabulary.ts';

/** More words than that are no statuses, and nobody could answer for each. */
const mostWords = 60;

/**
 * Proposes what the words of delivery reports mean that the contract does not list.
 *
 * @param reports events, which the contract reads as delivery reports
 */
export function proposeStatuses({ events, statuses }: Contract, reports: readonly unknown[]): Proposal[] {
  const words = new Set(valuesAt(reports, events.status.status));
  return [...words]
    .filter((word) => word.trim() !== '' && isVocabulary(word) && !Object.hasOwn(statuses, word))
    .slice(0, mostWords)
    .map((word) => {
      const guess = guessStatus(word);
      const key = `statuses.${word}`;
      return guess === undefined
        ? {
            key,
            value: null,
            isCertain: false,
            rivals: [],
            note: 'not known: it is stored as it comes, and never wins over a known one',
          }
        : { key, value: guess.status, isCertain: guess.isWhole, rivals: [] };
    });
}

/** Proposes the reason of error codes that the contract does not list, where the text beside one tells it. */
export function proposeErrors({ events, errors }: Contract, reports: readonly unknown[]): Proposal[] {
  const { errorCode, errorText } = events.status;
  if (errorCode === null) return [];
  const codeOf = lookUp(errorCode);
  const textOf = errorText === null ? undefined : lookUp(errorText);
  const reasons = new Map<string, string | null>();
  for (const report of reports) {
    const code = codeOf(report);
    if (
      (typeof code !== 'string' && typeof code !== 'number') ||
      /^0*$/.test(String(code)) ||
      !isVocabulary(String(code))
    )
      continue;
    const text = textOf?.(report);
    const reason = typeof text === 'string' ? guessReason(text) : undefined;
    reasons.set(String(code), reason ?? reasons.get(String(code)) ?? null);
  }
  return [...reasons]
    .filter(([code]) => !Object.hasOwn(errors, code))
    .slice(0, mostWords)
    .map(([code, value]) => ({
      key: `errors.${code}`,
      value,
      // Most codes say nothing, and nobody is to be asked for each.
      isCertain: value === null,
      rivals: [],
      note: value === null ? 'its meaning is not told: it gets no reason' : 'by its text',
    }));
}
