import { compareText } from '../history/content.ts';
import type { OptOutChange } from './opt-out.ts';

/**
 * Orders what a number said, where versions before kept it under several keys: the newest counts. Of one moment "out" counts: when in
 * doubt, the person is opted out. Negative where `a` counts less than `b`.
 */
export function compareOptOutChanges(a: SaidChange, b: SaidChange): number {
  // "out" is the greater text of the two.
  return compareText(a.at, b.at) || compareText(a.state, b.state) || compareText(a.replyId, b.replyId);
}

type SaidChange = Pick<OptOutChange, 'at' | 'replyId' | 'state'>;
