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
 * Joins views of one reply: the version with the greatest (occurredAt, eventId) stands, every other is kept.
 *
 * @param views at least one
 */
export function foldReplies(views: readonly [Reply, ...Reply[]]): Reply {
  const versions = new Map<string, ReplyEntry>();
  let { standing } = views[0];
  for (const entry of views.flatMap(entriesOf)) {
    const known = versions.get(entry.eventId);
    if (known === undefined || entry.receivedAt < known.receivedAt) versions.set(entry.eventId, entry);
    if (supersedes(entry, standing)) standing = entry;
  }
  const superseded = new Map(versions);
  superseded.delete(standing.eventId);
  return { replyId: views[0].replyId, standing: versions.get(standing.eventId) ?? standing, superseded };
}

/** Joins two views of one reply, as {@link foldReplies} does. */
export function mergeReplies(a: Reply, b: Reply): Reply {
  return foldReplies([a, b]);
}

function entriesOf(reply: Reply): ReplyEntry[] {
  return [reply.standing, ...reply.superseded.values()];
}

function supersedes(entry: ReplyEntry, other: ReplyEntry): boolean {
  if (entry.occurredAt !== other.occurredAt) return entry.occurredAt > other.occurredAt;
  return entry.eventId > other.eventId;
}
