import type { KeywordOf, Message, Reply } from '../../history/index.ts';
import { type Cohort, cohortKey } from './cohort.ts';
import { type Contribution, firstTime, messageContribution, replyContribution } from './contributions.ts';
import { addTallies, isEmpty, negated, type Tally } from './tally.ts';

/** A message or a reply before a write and after it; undefined before if it is new. */
export type HistoryChange =
  | { readonly kind: 'message'; readonly before: Message | undefined; readonly after: Message }
  | { readonly kind: 'reply'; readonly before: Reply | undefined; readonly after: Reply };

/** How the counters of a cohort change. */
export interface CohortDelta {
  readonly cohort: Cohort;
  readonly tally: Tally;
  /** The time of the earliest report among the changed messages of a send, in milliseconds since 1970. */
  readonly first: number | undefined;
}

/** How counters change. Deltas of several changes are sums, so neither order nor grouping matters. */
export interface Deltas {
  readonly cohorts: readonly CohortDelta[];
  /** Replies by the id of the message that they answer. They count in its send. */
  readonly replies: ReadonlyMap<string, Tally>;
  /** Sends of messages that had no send before, by the id of the message. Replies may have waited for them. */
  readonly learntSends: ReadonlyMap<string, string>;
}

/** Returns what changes of stored messages and replies change in the counters: the old state is subtracted, the new one added. */
export function deltasOf(changes: readonly HistoryChange[], keywordOf: KeywordOf): Deltas {
  const cohorts = new Map<string, { cohort: Cohort; tallies: Tally[]; first: number | undefined }>();
  const replies = new Map<string, Tally[]>();
  const learntSends = new Map<string, string>();

  function add({ cohorts: within, tally }: Contribution, first?: number): void {
    for (const cohort of within) {
      const { pk, sk } = cohortKey(cohort);
      const id = `${pk} ${sk}`;
      const known = cohorts.get(id) ?? { cohort, tallies: [], first: undefined };
      known.tallies.push(tally);
      if (first !== undefined && cohort.kind === 'send') known.first = Math.min(known.first ?? first, first);
      cohorts.set(id, known);
    }
  }
  const subtract = (contribution: Contribution) =>
    add({ ...contribution, tally: negated(contribution.tally) });

  for (const change of changes) {
    if (change.kind === 'message') {
      const { before, after } = change;
      if (before !== undefined) subtract(messageContribution(before));
      add(messageContribution(after), firstTime(after));
      const sendId = after.sendId?.toWellFormed();
      if (sendId !== undefined && before?.sendId === undefined) learntSends.set(after.messageId, sendId);
    } else {
      const states = [
        [change.before, negated],
        [change.after, (tally: Tally) => tally],
      ] as const;
      for (const [reply, signed] of states) {
        if (reply === undefined) continue;
        const contribution = replyContribution(reply, keywordOf);
        const tally = signed(contribution.tally);
        add({ ...contribution, tally });
        const { messageId } = reply.current;
        if (messageId !== undefined) replies.set(messageId, [...(replies.get(messageId) ?? []), tally]);
      }
    }
  }
  return {
    cohorts: [...cohorts.values()].map(({ cohort, tallies, first }) => ({
      cohort,
      tally: addTallies(tallies),
      first,
    })),
    replies: new Map(
      [...replies]
        .map(([id, tallies]) => [id, addTallies(tallies)] as const)
        .filter(([, tally]) => !isEmpty(tally)),
    ),
    learntSends,
  };
}
