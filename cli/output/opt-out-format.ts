import type { OptOutChange } from '../../functions/history/index.ts';
import { formatTime } from '../text/format.ts';
import { sanitize } from '../text/sanitize.ts';
import { maskNumbers, type View } from './print.ts';

/** Names what a change comes from: a reply, or an operator and the reason. Numbers in the reason are masked without --reveal. */
export function originOf({ replyId, reason }: Omit<OptOutChange, 'state'>, { reveal }: View): string {
  if (reason === undefined) return `reply ${sanitize(replyId)}`;
  return `by hand: ${reveal ? sanitize(reason) : maskNumbers(sanitize(reason))}`;
}

/** Describes the state of a number in a line. */
export function describeState(change: OptOutChange | undefined, view: View): string {
  if (change === undefined) return 'never opted out';
  const state = change.state === 'out' ? view.style('red', 'opted out') : 'opted in again';
  return `${state} since ${formatTime(change.at, view.zone)} (${originOf(change, view)})`;
}
