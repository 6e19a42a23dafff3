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

/** Joins two views of one reply: the version with the greatest (occurredAt, eventId) stands, every other is kept. */
export function mergeReplies(a: Reply, b: Reply): Reply {
  const versions = new Map<string, ReplyEntry>();
  for (const entry of [...entriesOf(a), ...entriesOf(b)]) {
    const known = versions.get(entry.eventId);
    if (known === undefined || entry.receivedAt < known.receivedAt) versions.set(entry.eventId, entry);
  }
  const standing = [...versions.values()].reduce((best, entry) => (supersedes(entry, best) ? entry : best));
  versions.delete(standing.eventId);
  return { replyId: a.replyId, standing, superseded: versions };
}

function entriesOf(reply: Reply): ReplyEntry[] {
  return [reply.standing, ...reply.superseded.values()];
}

function supersedes(entry: ReplyEntry, other: ReplyEntry): boolean {
  if (entry.occurredAt !== other.occurredAt) return entry.occurredAt > other.occurredAt;
  return entry.eventId > other.eventId;
}
