/** The canonical statuses of a message, in rising order of rank. */
export const canonicalStatuses = [
  'accepted',
  'queued',
  'sent',
  'unknown',
  'expired',
  'rejected',
  'failed',
  'undelivered',
  'delivered',
  'read',
] as const;

export type CanonicalStatus = (typeof canonicalStatuses)[number];

/** What a status says about the end of a message's way; `failure` and `success` contradict each other. */
export type Outcome = 'open' | 'unknown' | 'failure' | 'success';

interface StatusMeaning {
  readonly rank: number;
  readonly outcome: Outcome;
}

const meanings: Readonly<Record<CanonicalStatus, StatusMeaning>> = {
  accepted: { rank: 10, outcome: 'open' },
  queued: { rank: 20, outcome: 'open' },
  sent: { rank: 30, outcome: 'open' },
  unknown: { rank: 90, outcome: 'unknown' },
  expired: { rank: 100, outcome: 'failure' },
  rejected: { rank: 100, outcome: 'failure' },
  failed: { rank: 100, outcome: 'failure' },
  undelivered: { rank: 100, outcome: 'failure' },
  delivered: { rank: 110, outcome: 'success' },
  read: { rank: 120, outcome: 'success' },
};

/** Rank of a word the contract does not list: below every canonical status. */
export const unmappedRank = 0;

export function rankOf(status: CanonicalStatus): number {
  return meanings[status].rank;
}

/** The outcome a stored rank stands for: ranks decide, so that a word the contract did not know stays open. */
export function outcomeOf(rank: number): Outcome {
  return Object.values(meanings).find((meaning) => meaning.rank === rank)?.outcome ?? 'open';
}
