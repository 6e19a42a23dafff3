import type { DriftDay } from '../../../contract/drift/drift-watch.ts';
import type { ContractMismatch } from '../../../contract/drift/mismatch.ts';
import { describeUnread, unreadAdvice } from '../../../contract/drift/unread-advice.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import { omitUndefined } from '../../base/basics.ts';
import { ok, type Verdict, warn } from './verdict.ts';

/** A mismatch of some days, without the shape of an event. */
interface CountedMismatch extends ContractMismatch {
  /** When it was detected on the last day that has it, ISO 8601 in UTC. */
  readonly foundAt: string;
  /** How many events showed it, at least. Left out until they are counted. */
  readonly events?: number;
}

/**
 * Returns where events of days differ from the contract: each mismatch once, with the events of all days.
 *
 * @param days in any order
 * @param source the only source whose events count; every source if left out
 */
export function mismatchesOf(days: readonly DriftDay[], source?: string): readonly CountedMismatch[] {
  const newestFirst = days.toSorted((a, b) => (a.day < b.day ? 1 : -1));
  const sightings = Map.groupBy(
    newestFirst.flatMap(({ mismatches }) => [...mismatches]),
    ([id]) => id,
  );
  return [...sightings.values()].flatMap((sighted): CountedMismatch[] => {
    const [newest] = sighted;
    if (newest === undefined) return [];
    const { kind, field, expected, found, word, example, foundAt, source: from } = newest[1];
    if (source !== undefined && (from ?? mainSource) !== source) return [];
    const counts = sighted.flatMap(([, { events = [] }]) => events);
    const events = counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
    return [
      { kind, field, expected, found, foundAt, ...omitUndefined({ source: from, word, example, events }) },
    ];
  });
}

/** The fields without which no answer reaches a person, and no opt-out counts. Their mismatches are shown first. */
const importantFields = ['events.reply.from', 'events.status.recipient'];

const importance = ({ field }: ContractMismatch) =>
  importantFields.includes(field) ? importantFields.indexOf(field) : importantFields.length;

/** More sentences would hide the other checks. */
const maxSentences = 4;

/**
 * Judges events by the mismatches that they showed. The hint has one line for each thing to do.
 *
 * @param when the days of the events, for people: `today`
 */
export function judgeDrift(mismatches: readonly CountedMismatch[], when: string): Verdict {
  if (mismatches.length === 0) return ok(`events of ${when} are as the contract says`);
  const unread = mismatches
    .filter(({ kind }) => kind === 'unread')
    .sort((a, b) => importance(a) - importance(b) || (b.events ?? 0) - (a.events ?? 0));
  const others = mismatches.length - unread.length;
  const sentences = [
    ...(others === 0
      ? []
      : [`events of ${when} differ from the contract in ${others === 1 ? 'one way' : `${others} ways`}`]),
    ...unread.map((mismatch) => `${describeUnread(mismatch)}, last on ${mismatch.foundAt.slice(0, 10)}`),
  ];
  const hidden = sentences.length - maxSentences;
  const advice = new Set(unread.flatMap((mismatch) => unreadAdvice(mismatch) ?? []));
  return warn(
    [...sentences.slice(0, maxSentences), ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; '),
    [...advice, 'sms contract drift shows them.'].join('\n'),
  );
}
