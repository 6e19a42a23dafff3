import { createHash } from 'node:crypto';

/** In what way events differ from the contract and its samples. */
export const noveltyKinds = ['status', 'kind', 'field-missing', 'format'] as const;

/** One way in which events differ from what the contract and its samples say; no value of an event is in it. */
export interface Novelty {
  readonly kind: (typeof noveltyKinds)[number];
  /** The place in the contract that it is about, for example `events.status.recipient`. */
  readonly field: string;
  /** What the contract or its samples say, for example `string`, `phone number`, `iso8601`. */
  readonly expected: string;
  /** What came, as the type of a JSON value; `nothing` where it is missing. */
  readonly found: string;
  /** The service's word for a status or kind, where it is nothing but a word. */
  readonly word?: string;
}

/** As it was found in an event; the shape is made only when asked for. */
export interface FoundNovelty extends Novelty {
  /** As `shapeOf` gives it. */
  readonly shape: () => string;
}

/** As it is written down: with the event that showed it first on that day. */
export interface NotedNovelty extends Novelty {
  /** As `shapeOf` gives it. */
  readonly shape: string;
  /** When it was found; ISO 8601 in UTC. */
  readonly foundAt: string;
}

/** What a day brought that was new. */
export interface DriftDay {
  /** yyyy-mm-dd in UTC. */
  readonly day: string;
  /** By {@link noveltyId}. */
  readonly novelties: ReadonlyMap<string, NotedNovelty>;
}

/** The most novelties that are written down in a day: what differs in more ways is another contract altogether. */
export const mostNoveltiesPerDay = 50;

/** The same for the same novelty, whatever event shows it: 32 hexadecimal digits. */
export function noveltyId({ kind, field, found, word }: Novelty): string {
  const parts = word === undefined ? [kind, field, found] : [kind, field, found, word];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
