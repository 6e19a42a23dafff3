import type { ReplyEvent } from '../events/event.ts';
import { contentOf, replaces } from './content.ts';

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
 * Joins views of one reply: the version with the greatest (occurredAt, eventId) stands, every other is kept. Of several
 * contents under one event id only the one that {@link replaces} the others counts, also for which version stands.
 *
 * @param views at least one
 */
export function foldReplies(views: readonly [Reply, ...Reply[]]): Reply {
  const versions = new Map<string, ReplyEntry>();
  for (const entry of views.flatMap(entriesOf)) {
    if (replaces(entry, versions.get(entry.eventId))) versions.set(entry.eventId, entry);
  }
  return replyFrom(views[0].replyId, versions);
}

/** Joins two views of one reply, as {@link foldReplies} does. */
export function mergeReplies(a: Reply, b: Reply): Reply {
  return foldReplies([a, b]);
}

/**
 * What arrived, with each version that is stored already as it is stored: a repeat says what was said the first time,
 * and when. A version whose event id is stored with another content stays as it arrived.
 */
export function asStored(arrived: Reply, stored: Reply): Reply {
  const known = versionsOf(stored);
  const versions = entriesOf(arrived).map((entry) => {
    const found = known.get(entry.eventId);
    return found !== undefined && contentOf(found) === contentOf(entry) ? found : entry;
  });
  return replyFrom(arrived.replyId, new Map(versions.map((entry) => [entry.eventId, entry])));
}

/** @param versions by event id, at least one */
function replyFrom(replyId: string, versions: ReadonlyMap<string, ReplyEntry>): Reply {
  const standing = [...versions.values()].reduce((best, entry) => (supersedes(entry, best) ? entry : best));
  const superseded = new Map(versions);
  superseded.delete(standing.eventId);
  return { replyId, standing, superseded };
}

/** Every version of a reply, by event id. */
export function versionsOf({ standing, superseded }: Reply): ReadonlyMap<string, ReplyEntry> {
  return new Map([[standing.eventId, standing], ...superseded]);
}

function entriesOf(reply: Reply): ReplyEntry[] {
  return [...versionsOf(reply).values()];
}

function supersedes(entry: ReplyEntry, other: ReplyEntry): boolean {
  if (entry.occurredAt !== other.occurredAt) return entry.occurredAt > other.occurredAt;
  return entry.eventId > other.eventId;
}
