import type { Reply, ReplyEntry } from '../history/reply.ts';
import type { KeywordOf } from './keyword.ts';

/** That a number wants no more messages, or wants them again. */
export interface OptOutChange {
  /** E.164 where it can be read as such. */
  readonly phone: string;
  readonly state: 'out' | 'in';
  /** When it was said; ISO 8601 in UTC. Of several the newest counts. */
  readonly at: string;
  /** The reply that said it. */
  readonly replyId: string;
}

/** A number that wants no more messages. */
export type OptOut = Omit<OptOutChange, 'state'>;

const dayMs = 86_400_000;

/** What the versions of a reply say about being written to; most replies say nothing. */
export function optOutChanges(
  { replyId, standing, superseded }: Reply,
  keywordOf: KeywordOf,
): OptOutChange[] {
  return [standing, ...superseded.values()].flatMap((version): OptOutChange[] => {
    const { from, text } = version;
    const keyword = keywordOf(text, from);
    if (keyword !== 'stop' && keyword !== 'start') return [];
    // A stored reply is read back well-formed: the number is the same one either way.
    return [
      { phone: from.toWellFormed(), state: keyword === 'stop' ? 'out' : 'in', at: saidAt(version), replyId },
    ];
  });
}

/** When it was said. A time far ahead is a mistake, and would outdo whatever the number says until then. */
function saidAt({ occurredAt, receivedAt }: ReplyEntry): string {
  return Date.parse(occurredAt) > Date.parse(receivedAt) + dayMs ? receivedAt : occurredAt;
}
