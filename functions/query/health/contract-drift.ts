import type { DriftDay } from '../../../contract/drift/drift-watch.ts';
import { omitUndefined } from '../../base/basics.ts';
import { ok, type Verdict, warn } from './verdict.ts';

/** Returns where events of a day differ from the contract, without the shapes of the events. @param day undefined if none does */
export function mismatchesOf(day: DriftDay | undefined) {
  return [...(day?.mismatches.values() ?? [])].map(
    ({ kind, field, expected, found, word, example, events, foundAt }) => ({
      ...{ kind, field, expected, found, foundAt },
      ...omitUndefined({ word, example, events }),
    }),
  );
}

/** Judges today's events by the mismatches that they showed. */
export function judgeDrift(mismatches: readonly unknown[]): Verdict {
  const { length } = mismatches;
  if (length === 0) return ok('events of today are as the contract says');
  return warn(
    `events of today differ from the contract in ${length === 1 ? 'one way' : `${length} ways`}`,
    'sms contract drift shows them.',
  );
}
