import type { ContractMismatch, DriftDay, NotedMismatch } from '../../contract/drift/drift-watch.ts';

/** A novelty, and when it was seen. */
export interface RepeatedNovelty extends ContractMismatch {
  readonly id: string;
  /** yyyy-mm-dd in UTC, newest first. */
  readonly days: readonly string[];
  /** Of the event that showed it first on the newest day. */
  readonly shape: string;
}

/** What several days brought, each novelty once: those seen last come first, of one day those of the first place in the contract. */
export function summarizeDrift(days: readonly DriftDay[]): RepeatedNovelty[] {
  const seen = new Map<string, { readonly newest: NotedMismatch; readonly days: string[] }>();
  for (const { day, novelties } of days.toSorted((a, b) => (a.day < b.day ? 1 : -1)))
    for (const [id, novelty] of novelties) {
      const known = seen.get(id);
      if (known === undefined) seen.set(id, { newest: novelty, days: [day] });
      else known.days.push(day);
    }
  return [...seen]
    .map(([id, { newest, days: seenOn }]) => {
      const { foundAt: _, ...novelty } = newest;
      return { id, ...novelty, days: seenOn };
    })
    .sort((a, b) => compare(b.days[0], a.days[0]) || compare(a.field, b.field) || compare(a.id, b.id));
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
