import type { OptOutChange } from './opt-out.ts';

/**
 * Orders what a number said, as the register does: the newest counts, of one moment the reply with the greater id, and of its
 * versions the one that says "out". Negative where `a` counts less than `b`.
 */
export function compareOptOutChanges(a: SaidChange, b: SaidChange): number {
  return compareText(a.at, b.at) || compareText(a.replyId, b.replyId) || compareText(a.state, b.state);
}

type SaidChange = Pick<OptOutChange, 'at' | 'replyId' | 'state'>;

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
