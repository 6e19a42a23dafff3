import type { ReplyEvent } from '../events/event.ts';

/** One version of a reply as the history keeps it. */
export interface ReplyEntry extends Omit<ReplyEvent, 'kind' | 'replyId'> {
  /** When the webhook received it; ISO 8601 in UTC. */
  readonly receivedAt: string;
}

/** A reply: the version that stands, and those a service sent under the same id besides. */
export interface Reply {
  readonly replyId: string;
  readonly standing: ReplyEntry;
  /** By event id; almost always empty. */
  readonly superseded: ReadonlyMap<string, ReplyEntry>;
}

export function replyOf(event: ReplyEvent, receivedAt: string): Reply {
  const { kind, replyId, ...entry } = event;
  return { replyId, standing: { ...entry, receivedAt }, superseded: new Map() };
}

/**
 * Joins views of one reply: the version with the greatest (occurredAt, eventId) stands, every other is kept. Of two
 * arrivals of one version only the one received first counts, also for which version stands.
 *
 * @param views at least one
 */
export function foldReplies(views: readonly [Reply, ...Reply[]]): Reply {
  const versions = new Map<string, ReplyEntry>();
  for (const entry of views.flatMap(entriesOf)) {
    const known = versions.get(entry.eventId);
    if (known === undefined || entry.receivedAt < known.receivedAt) versions.set(entry.eventId, entry);
  }
  return replyFrom(views[0].replyId, versions);
}

/** Joins two views of one reply, as {@link foldReplies} does. */
export function mergeReplies(a: Reply, b: Reply): Reply {
  return foldReplies([a, b]);
}

/**
 * What arrived, with each version that is stored already as it is stored: a repeat says what was said the first time,
 * and when.
 */
export function asStored(arrived: Reply, stored: Reply): Reply {
  const known = new Map(entriesOf(stored).map((entry) => [entry.eventId, entry]));
  const versions = entriesOf(arrived).map((entry) => known.get(entry.eventId) ?? entry);
  return replyFrom(arrived.replyId, new Map(versions.map((entry) => [entry.eventId, entry])));
}

/** @param versions by event id, at least one */
function replyFrom(replyId: string, versions: ReadonlyMap<string, ReplyEntry>): Reply {
  const standing = [...versions.values()].reduce((best, entry) => (supersedes(entry, best) ? entry : best));
  const superseded = new Map(versions);
  superseded.delete(standing.eventId);
  return { replyId, standing, superseded };
}

function entriesOf(reply: Reply): ReplyEntry[] {
  return [reply.standing, ...reply.superseded.values()];
}

function supersedes(entry: ReplyEntry, other: ReplyEntry): boolean {
  if (entry.occurredAt !== other.occurredAt) return entry.occurredAt > other.occurredAt;
  return entry.eventId > other.eventId;
}
